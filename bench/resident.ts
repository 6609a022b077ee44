/** The memory of a process that is held in RAM. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Subject } from "./process.ts";

/** So that a server has done what it does when nothing else is to be done. */
const settleMs = 200;

export async function residentMegabytes({ pid }: Subject): Promise<number> {
  await sleep(settleMs);
  const status = `/proc/${pid}/status`;
  const kibibytes = existsSync(status)
    ? /^VmRSS:\s*(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return (Number(kibibytes) * 1024) / 1e6;
}
