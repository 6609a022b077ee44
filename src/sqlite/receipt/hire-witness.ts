/** Starts the process that looks, and asks it. */

import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { locateProgram } from "../locate-program.ts";
import { ReceiptError } from "./receipt-error.ts";
import { readWitnessReply, type WitnessRequest } from "./witness-talk.ts";
import type { Witness } from "./witness.ts";

/**
 * The witness leads a session of its own, so that Ctrl-C does not reach it: the last look comes after that. It gets nothing of this
 * process's environment and of its streams, and ends with it.
 *
 * Its `look` throws a `ReceiptError` where the witness is lost.
 */
export function hireWitness(): Witness {
  const child = spawn(process.execPath, [locateProgram("receipt")], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {},
    detached: true,
  });
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    lastWords = (lastWords + piece).slice(-maxLastWords);
  });
  child.on("error", (error) => {
    lastWords = error.message;
  });
  return {
    look: async (request) => readWitnessReply(await ask(child, request, () => lastWords.trim())),
    [Symbol.dispose]: () => {
      child.kill("SIGKILL");
    },
  };
}

const maxLastWords = 2_000;

async function ask(
  child: ChildProcess,
  request: WitnessRequest,
  lastWords: () => string,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const lose = (what: string): void => {
    const about = request.databases.map((path) => JSON.stringify(path)).join(", ");
    const text = `Cannot look at ${about}: the process that looks ${what}, expected an answer`;
    reject(new ReceiptError("witness-lost", text));
  };
  const onClose = (): void => lose(`has ended (${lastWords()})`);
  const { lookMs } = request.limits;
  const timer = setTimeout(() => lose(`gave no answer in ${lookMs} ms`), lookMs);
  child.once("message", resolve).once("close", onClose);
  try {
    if (child.connected) child.send(request);
    else onClose();
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", resolve).off("close", onClose);
  }
}
