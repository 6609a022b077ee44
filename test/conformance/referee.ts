/** Runs the official suite's own program. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const manifest = import.meta.resolve("@modelcontextprotocol/conformance/package.json");

/** How long one run may take: it ends one that waits for a connection for ever. */
export const refereeTimeoutMs = 240_000;

/** Gives what it printed and its exit code, which is null when it was ended from outside. */
export async function runReferee(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const program = fileURLToPath(new URL("dist/index.js", manifest));
  const env = { ...process.env, ...environment };
  const options = { env, timeout: refereeTimeoutMs, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout } = await run(process.execPath, [program, ...args], options);
    return { exitCode: 0, output: stdout };
  } catch (error) {
    if (!(error instanceof Error) || !("stdout" in error) || !("code" in error)) throw error;
    const { code, stdout } = error;
    return { exitCode: typeof code === "number" ? code : null, output: String(stdout) };
  }
}

const run = promisify(execFile);
