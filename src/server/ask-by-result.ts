/**
 * The stateless era's way to ask the client (multi-round-trip requests): the call ends with an `input_required` result, and
 * the client sends it again with the answers. The author's function then runs anew, and finds its earlier questions answered.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */

import {
  createRecord,
  describeValue,
  isObject,
  refuseParam,
  refuseParams,
  type JsonObject,
} from "../protocol/index.ts";
import type { Call } from "./call.ts";
import type { Ask } from "./questions.ts";
import { digest, type RequestState } from "./request-state.ts";

/** Ends an author's function at its first unanswered question; the call's result is the question. */
class InputRequired extends Error {
  override readonly name = "InputRequired";

  constructor() {
    super("The client is being asked; this call runs again when it has answered");
  }
}

/** The questions of one stateless call: those answered in earlier rounds, and those still open. */
export class Rounds {
  readonly ask: Ask;
  readonly #call: Call;
  #answers: RequestState["answers"];
  readonly #open = new Map<string, { readonly method: string; readonly params: object }>();
  #asked = 0;

  private constructor(call: Call, answers: RequestState["answers"]) {
    this.#call = call;
    this.#answers = answers;
    this.ask = async (method, params, options) => {
      const key = options?.key ?? `${method}#${++this.#asked}`;
      const answer = Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined;
      if (answer !== undefined && answer.question === (await digest({ method, params })))
        return answer.result;
      const early = options?.acceptEarly === true ? readEarlyAnswer(call, key) : undefined;
      if (early !== undefined) {
        const question = await digest({ method, params });
        this.#answers = { ...this.#answers, [key]: { question, result: early } };
        return early;
      }
      this.#open.set(key, { method, params });
      throw new InputRequired();
    };
  }

  /** Begins with a call that brings no answers. */
  static begin(call: Call): Rounds {
    return new Rounds(call, {});
  }

  /** Reads the answers that a call brings. Throws a `WireError` for a state that this server did not seal for this call. */
  static async continue(call: Call): Promise<Rounds> {
    const { requestState, inputResponses } = call.params;
    if (typeof requestState !== "string") {
      throw refuseParam("requestState", requestState, "a string");
    }
    const state = await (await call.catalogue.getSeal()).open(requestState, await identify(call));
    return new Rounds(call, { ...state.answers, ...readAnswers(inputResponses, state.open) });
  }

  get hasOpenQuestions(): boolean {
    return this.#open.size > 0;
  }

  /** Makes the result that asks, with everything needed to continue sealed inside. */
  async toResult(): Promise<JsonObject> {
    const open = createRecord<string>([]);
    for (const [key, question] of this.#open) open[key] = await digest(question);
    const inputRequests = createRecord(this.#open);
    const request = await identify(this.#call);
    const seal = await this.#call.catalogue.getSeal();
    const requestState = await seal.close({ request, answers: this.#answers, open });
    return { resultType: "input_required", inputRequests, requestState };
  }
}

/** Identifies the request that the rounds belong to, and its caller: a state must not be used for another, or by another. */
async function identify(call: Call): Promise<string> {
  const { method } = call.request;
  const own = { _meta: undefined, inputResponses: undefined, requestState: undefined };
  const params = { ...call.params, ...own };
  try {
    return await digest({ method, params, principal: call.peer.principal });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const why = "a number in them is beyond what JSON can carry, or they nest too deep";
    throw refuseParams(`The parameters of a call that asks for input cannot be told apart: ${why}`);
  }
}

/** Pairs the client's answers with the questions that were open; an answer nobody asked for is passed over. */
function readAnswers(inputResponses: unknown, open: RequestState["open"]): RequestState["answers"] {
  if (inputResponses === undefined) return {};
  if (!isObject(inputResponses)) {
    throw refuseParam("inputResponses", inputResponses, "an object");
  }
  const answers = createRecord<RequestState["answers"][string]>([]);
  for (const [key, question] of Object.entries(open)) {
    const result = readAnswer(inputResponses, key);
    if (result !== undefined) answers[key] = { question, result };
  }
  return answers;
}

/** Gives the answer to a question that was not asked yet, if the client sent one along. */
function readEarlyAnswer({ params }: Call, key: string): JsonObject | undefined {
  const { inputResponses } = params;
  return isObject(inputResponses) ? readAnswer(inputResponses, key) : undefined;
}

function readAnswer(inputResponses: JsonObject, key: string): JsonObject | undefined {
  const answer = Object.hasOwn(inputResponses, key) ? inputResponses[key] : undefined;
  if (answer === undefined || isObject(answer)) return answer;
  throw refuseParams(
    `inputResponses ${JSON.stringify(key)} is ${describeValue(answer)}, expected an object`,
  );
}
