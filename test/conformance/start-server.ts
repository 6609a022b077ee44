/** Starts the server under examination, as a process of its own. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface EverythingServer extends AsyncDisposable {
  readonly url: string;
}

/** Resolves when the server has printed where it is. */
export async function startServer(): Promise<EverythingServer> {
  const file = fileURLToPath(new URL("everything-server.ts", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), exited]);
  const url = String(first[0]);
  if (!URL.canParse(url))
    throw new Error(`Cannot start everything-server.ts: it exited with ${url}`);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
