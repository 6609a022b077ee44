/** How long handlers are waited for: until the call or the connection is over, or their time is. */

import { maxTimerMs } from "../transport/index.ts";
import { explainCancellation, type Failure } from "./client-error.ts";
import type { Connection } from "./connection.ts";

export interface Patience {
  /** The call on whose behalf the handlers are asked. */
  readonly method: string;
  readonly connection: Connection;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  /** For all questions of one result together. */
  readonly timeoutMs: number;
}

export interface GivenUp {
  readonly kind: "failure";
  readonly failure: Failure;
}

/** Gives the answer, or why nobody waits for it any more; the signal that the handlers have is aborted then. */
export async function untilGivenUp<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { method, connection, signal, timeoutMs }: Patience,
): Promise<Answer | GivenUp> {
  const controller = new AbortController();
  const { promise: givenUp, resolve } = Promise.withResolvers<GivenUp>();
  const giveUp = (failure: Failure): void => {
    resolve({ kind: "failure", failure });
    controller.abort(new DOMException(failure.what, "AbortError"));
  };
  const onAbort = (): void => {
    if (signal !== undefined) giveUp(explainCancellation(signal));
  };
  if (signal?.aborted === true) return { kind: "failure", failure: explainCancellation(signal) };
  const forget = connection.onEnd(method, giveUp);
  signal?.addEventListener("abort", onAbort, { once: true });
  const stopClock = startClock(timeoutMs, () => giveUp(explainSlowHandler(timeoutMs)));
  try {
    return await Promise.race([givenUp, ask(controller.signal)]);
  } finally {
    stopClock();
    signal?.removeEventListener("abort", onAbort);
    forget();
  }
}

/** Calls back when the time is over, and gives back how to stop that; without a limit it never does. */
export function startClock(ms: number, onOver: () => void): () => void {
  if (ms === Infinity) return () => {};
  const timer = setTimeout(onOver, Math.min(ms, maxTimerMs));
  return () => clearTimeout(timer);
}

function explainSlowHandler(timeoutMs: number): Failure {
  return {
    code: "timeout",
    what: `its handlers have not answered within ${timeoutMs} ms (handlerTimeoutMs), expected an answer to what the server asks`,
  };
}
