/** The memory of a process and of all that it started, each page counted once however many of them share it. */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../unavailable.ts";

/** So that a server has done what it does when nothing else is to be done. */
const settleMs = 300;

/** Throws an `Unavailable` where the system does not tell (it is Linux that does). */
export async function proportionalMegabytes(pid: number): Promise<number> {
  if (process.platform !== "linux") throw new Unavailable("not told here", "it takes /proc");
  await sleep(settleMs);
  const bytes = listTree(pid).map((each) => readKibibytes(each) * 1024);
  return bytes.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** The process and all its descendants. */
function listTree(root: number): readonly number[] {
  const parents = readdirSync("/proc").flatMap((name) => readParent(name));
  const tree = [root];
  for (const parent of tree)
    tree.push(...parents.filter((each) => each.parent === parent).map(({ pid }) => pid));
  return tree;
}

function readParent(name: string): readonly { readonly pid: number; readonly parent: number }[] {
  const pid = Number(name);
  if (!Number.isInteger(pid)) return [];
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the name before it may hold anything
    return [{ pid, parent: Number(parent) }];
  } catch {
    return []; // it has ended meanwhile
  }
}

function readKibibytes(pid: number): number {
  const told = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s*(\d+)/m.exec(told)?.[1]);
}
