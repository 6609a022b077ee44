/** Lets an author's function ask the client, in the way of the caller's era. */

import { WireError, type JsonObject } from "../../protocol/index.ts";
import { askByRequest } from "../ask-by-request.ts";
import { Rounds } from "../ask-by-result.ts";
import type { Call } from "../call.ts";
import { createQuestions } from "../questions.ts";

/**
 * Runs an author's function with questions to the client.
 *
 * In the stateless era a question that has no answer yet ends the function; then the result is the question, whatever the
 * function made of the interruption.
 */
export function withInput(
  call: Call,
  run: () => JsonObject | Promise<JsonObject>,
): JsonObject | Promise<JsonObject> {
  if (call.revision.era === "handshake") {
    call.questions = createQuestions(call.caller, askByRequest(call));
    return run();
  }
  if (call.params["requestState"] !== undefined) return continueRounds(call, run);
  const rounds = Rounds.begin(call);
  call.questions = createQuestions(call.caller, rounds.ask);
  return runRound(rounds, run);
}

async function continueRounds(
  call: Call,
  run: () => JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const rounds = await Rounds.continue(call);
  call.questions = createQuestions(call.caller, rounds.ask);
  return runRound(rounds, run);
}

function runRound(
  rounds: Rounds,
  run: () => JsonObject | Promise<JsonObject>,
): JsonObject | Promise<JsonObject> {
  const result = run();
  return result instanceof Promise ? finishRound(rounds, result) : result;
}

async function finishRound(rounds: Rounds, result: Promise<JsonObject>): Promise<JsonObject> {
  const settled = await result.catch((thrown: unknown) => {
    if (rounds.hasOpenQuestions && !(thrown instanceof WireError)) return undefined;
    throw thrown;
  });
  return settled === undefined || rounds.hasOpenQuestions ? rounds.toResult() : settled;
}
