/** Lets an author's function ask the client, in the way of the caller's era. */

import type { JsonObject } from "../../protocol/index.ts";
import { askByRequest } from "../ask-by-request.ts";
import { Rounds } from "../ask-by-result.ts";
import type { Call, Questions } from "../call.ts";
import { createQuestions } from "../questions.ts";

/**
 * Runs an author's function, which may ask the client.
 *
 * In the stateless era a question that has no answer yet ends the function; then the result is the question, whatever the
 * function made of the interruption. Nothing is made for that before a function asks: most never do.
 */
export function withInput(
  call: Call,
  run: () => JsonObject | Promise<JsonObject>,
): JsonObject | Promise<JsonObject> {
  if (call.revision.era === "handshake") {
    call.createQuestions = createQuestionsByRequest;
    return run();
  }
  call.createQuestions = createQuestionsByResult;
  if (call.params["requestState"] !== undefined) return continueRounds(call, run);
  return finishRound(call, run());
}

function createQuestionsByRequest(call: Call): Questions {
  return createQuestions(call.caller, askByRequest(call));
}

function createQuestionsByResult(call: Call): Questions {
  return beginRound(call, Rounds.begin(call));
}

function beginRound(call: Call, rounds: Rounds): Questions {
  call.interruption = rounds;
  return createQuestions(call.caller, rounds.ask);
}

async function continueRounds(
  call: Call,
  run: () => JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const questions = beginRound(call, await Rounds.continue(call));
  call.createQuestions = () => questions;
  return finishRound(call, run());
}

function finishRound(
  call: Call,
  result: JsonObject | Promise<JsonObject>,
): JsonObject | Promise<JsonObject> {
  if (!(result instanceof Promise)) return result;
  const asksOr = (otherwise: () => JsonObject): JsonObject | Promise<JsonObject> => {
    const { interruption } = call;
    return interruption?.hasOpenQuestions === true ? interruption.toResult() : otherwise();
  };
  return result.then(
    (value) => asksOr(() => value),
    (thrown: unknown) =>
      asksOr(() => {
        throw thrown;
      }),
  );
}
