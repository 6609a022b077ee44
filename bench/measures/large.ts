/** One echo of a long text that arrives in pieces of 4 KiB, from its first byte sent to the last byte received. */

import { ask, open } from "../ask.ts";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { checkEcho, echoRequest, type Revision } from "../messages.ts";
import { Subject } from "../process.ts";
import { median } from "../statistics.ts";
import { serverCases } from "../subjects.ts";

const pieceBytes = 4096;
const mebibyte = 1024 * 1024;
const repeats = 7;

export const large: Bench = {
  name: "large",
  title: "Echo of a long text that arrives in pieces of 4 KiB",
  figures: [
    { id: "one", title: "1 MiB", unit: "ms", digits: 1 },
    {
      id: "eight",
      title: "8 MiB",
      unit: "ms",
      digits: 1,
      goal: { of: "ratio", is: "≤", limit: 1.25 },
    },
  ],
  cases: serverCases,
  rounds: 5,
  warmUps: 0, // each size has its own
  isPinned: true,
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  await open(server, revision);
  const one = await timeEcho(server, revision, mebibyte);
  const eight = await timeEcho(server, revision, 8 * mebibyte);
  return { one, eight };
}

async function timeEcho(server: Subject, revision: Revision, bytes: number): Promise<number> {
  const text = "abcdefghijklmnop".repeat(bytes / 16);
  const durations: number[] = [];
  for (let i = 0; i <= repeats; i += 1) {
    let startedAt = 0;
    const { at, result } = await ask(server, echoRequest(bytes + i, revision, text), (line) => {
      startedAt = performance.now();
      return sendInPieces(server, line);
    });
    checkEcho(result, text);
    if (i > 0) durations.push(at - startedAt);
  }
  return median(durations) ?? 0;
}

/** Waits for each piece to be in the pipe, and for a turn of the loop: pieces that queue up would be joined to one write. */
async function sendInPieces(server: Subject, line: Buffer): Promise<void> {
  for (let from = 0; from < line.length; from += pieceBytes) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.stdin.write(line.subarray(from, from + pieceBytes), (error) => {
      if (error === null || error === undefined) setImmediate(resolve);
      else reject(error);
    });
    await promise;
  }
}
