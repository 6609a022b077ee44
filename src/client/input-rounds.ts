/** Answers an `InputRequiredResult`: asks the handlers what the server wants to know before it goes on. */

import { describeValue, isObject, toPrintable, type JsonObject } from "../protocol/index.ts";
import type { Failure } from "./client-error.ts";
import { nameOfHandler, startHandler, type Handlers } from "./handlers.ts";

/** How many times one call may come back with questions: it stops a server that never has enough. */
export const maxInputRounds = 10;

/** How many questions one result may hold: all are asked at once. */
export const maxInputRequests = 32;

/** The methods whose result may ask for input. */
export const methodsWithInput: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
]);

export type InputAnswer =
  /** What the next request of the same call carries in addition. */
  | { readonly kind: "answer"; readonly params: JsonObject }
  | { readonly kind: "failure"; readonly failure: Failure };

interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/**
 * Asks all handlers at once. Rejects with what a handler throws, after the signals of the others were aborted.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export async function answerInput(
  result: JsonObject,
  handlers: Handlers,
  signal: AbortSignal,
): Promise<InputAnswer> {
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== "string") {
    return fail("protocol", `"requestState" is ${describeValue(requestState)}, expected a string`);
  }
  if (inputRequests === undefined && requestState === undefined) {
    return fail(
      "protocol",
      `the server asks for input without "inputRequests" and "requestState", expected one of them`,
    );
  }
  const state = requestState === undefined ? {} : { requestState };
  if (inputRequests === undefined) return { kind: "answer", params: state };
  const questions = readQuestions(inputRequests);
  if (!Array.isArray(questions)) return questions;
  const missing = questions.find(({ method }) => !hasHandler(handlers, method));
  if (missing !== undefined) return failWithoutHandler(missing.method);
  const inputResponses = await askAll(questions, handlers, signal);
  return { kind: "answer", params: { inputResponses, ...state } };
}

function readQuestions(
  inputRequests: unknown,
): Question[] | Extract<InputAnswer, { kind: "failure" }> {
  if (!isObject(inputRequests)) {
    return fail(
      "protocol",
      `"inputRequests" is ${describeValue(inputRequests)}, expected an object`,
    );
  }
  const entries = Object.entries(inputRequests);
  if (entries.length > maxInputRequests) {
    return fail(
      "limit",
      `the server asks ${entries.length} questions at once, expected at most maxInputRequests (${maxInputRequests})`,
    );
  }
  const questions: Question[] = [];
  for (const [key, request] of entries) {
    if (!isObject(request) || typeof request["method"] !== "string") {
      return fail(
        "protocol",
        `the input request "${toPrintable(key, 40)}" is ${describeValue(request)}, expected an object with a method`,
      );
    }
    const { method, params } = request;
    questions.push({ key, method, params: isObject(params) ? params : undefined });
  }
  return questions;
}

async function askAll(
  questions: readonly Question[],
  handlers: Handlers,
  signal: AbortSignal,
): Promise<JsonObject> {
  const controller = new AbortController();
  const context = { signal: AbortSignal.any([signal, controller.signal]) };
  const ask = async ({ key, method, params }: Question): Promise<readonly [string, unknown]> => [
    key,
    await startHandler(handlers, method, params, context),
  ];
  try {
    return Object.fromEntries(await Promise.all(questions.map(ask)));
  } catch (thrown) {
    controller.abort(thrown);
    throw thrown;
  }
}

function hasHandler(handlers: Handlers, method: string): boolean {
  const name = nameOfHandler(method);
  return name !== undefined && handlers[name] !== undefined;
}

function failWithoutHandler(method: string): Extract<InputAnswer, { kind: "failure" }> {
  const name = nameOfHandler(method);
  if (name === undefined)
    return fail(
      "protocol",
      `the server asks for "${toPrintable(method, 60)}", expected elicitation/create, sampling/createMessage or roots/list`,
    );
  return {
    kind: "failure",
    failure: {
      code: "no-handler",
      what: `the server asks for ${method}, expected a handler for it`,
      hint: { option: "handlers", value: name },
    },
  };
}

function fail(code: Failure["code"], what: string): Extract<InputAnswer, { kind: "failure" }> {
  return { kind: "failure", failure: { code, what } };
}
