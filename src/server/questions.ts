/** Asks the client for input: checks that it can answer, and reads what it answered. */

import {
  describeValue,
  isObject,
  refuseParams,
  type ClientCapabilities,
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitParams,
  type ElicitResult,
  type JsonObject,
  type ListRootsResult,
  type ServerRequestMethod,
  type WireError,
} from "../protocol/index.ts";
import type { Questions } from "./call.ts";
import type { Caller } from "./caller.ts";
import { MissingCapabilityError } from "./author-error.ts";
import type { AskOptions } from "./context.ts";

/** Puts one question to the client and gives its answer, in the way of its era. */
export type Ask = (
  method: ServerRequestMethod,
  params: object,
  options?: AskOptions,
) => Promise<JsonObject>;

/** Makes the three questions out of one way of asking. */
export function createQuestions(caller: Caller, ask: Ask): Questions {
  return {
    elicit: async (params, options) => {
      requireElicitation(caller, params);
      return parseElicitResult(await ask("elicitation/create", params, options));
    },
    sample: async (params, options) => {
      requireSampling(caller, params);
      return parseCreateMessageResult(await ask("sampling/createMessage", params, options));
    },
    listRoots: async (options) => {
      requireMethod(caller, "roots/list", caller.capabilities.roots, { roots: {} });
      return parseListRootsResult(await ask("roots/list", {}, options));
    },
  };
}

function requireElicitation({ capabilities, revision }: Caller, params: ElicitParams): void {
  const { elicitation } = capabilities;
  const { mode = "form" } = params;
  const hasForm = elicitation?.form !== undefined || elicitation?.url === undefined;
  const hasUrl = elicitation?.url !== undefined && revision.elicitation === "form and url";
  const hasMode = elicitation !== undefined && (mode === "url" ? hasUrl : hasForm);
  if (hasMode && revision.serverRequests.has("elicitation/create")) return;
  const isPlain = mode === "form" && elicitation === undefined; // {} means form alone, in every revision
  throw new MissingCapabilityError({ elicitation: isPlain ? {} : { [mode]: {} } });
}

function requireSampling(caller: Caller, params: CreateMessageParams): void {
  const { sampling } = caller.capabilities;
  requireMethod(caller, "sampling/createMessage", sampling, { sampling: {} });
  const needsTools = params.tools !== undefined || params.toolChoice !== undefined;
  if (needsTools && sampling?.tools === undefined)
    throw new MissingCapabilityError({ sampling: { tools: {} } });
}

function requireMethod(
  caller: Caller,
  method: ServerRequestMethod,
  declared: unknown,
  required: ClientCapabilities,
): void {
  if (declared === undefined || !caller.revision.serverRequests.has(method))
    throw new MissingCapabilityError(required);
}

function parseElicitResult(result: JsonObject): ElicitResult {
  const { action, content } = result;
  if (action !== "accept" && action !== "decline" && action !== "cancel") {
    throw invalidAnswer(
      "elicitation/create",
      `"action" is ${describeValue(action)}, expected accept, decline or cancel`,
    );
  }
  if (content === undefined || content === null) return { action };
  if (!isElicitContent(content)) {
    throw invalidAnswer(
      "elicitation/create",
      `"content" is ${describeValue(content)}, expected an object of plain values`,
    );
  }
  return { action, content };
}

function isElicitContent(content: unknown): content is NonNullable<ElicitResult["content"]> {
  if (!isObject(content)) return false;
  return Object.values(content).every(
    (value) =>
      ["string", "number", "boolean"].includes(typeof value) ||
      (Array.isArray(value) && value.every((item) => typeof item === "string")),
  );
}

function parseCreateMessageResult(result: JsonObject): CreateMessageResult {
  if (!isCreateMessageResult(result)) {
    throw invalidAnswer("sampling/createMessage", `expected "role", "content" and "model"`);
  }
  return result;
}

function isCreateMessageResult(result: JsonObject): result is JsonObject & CreateMessageResult {
  const { role, content, model } = result;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const hasBlocks = blocks.every((block) => isObject(block) && typeof block["type"] === "string");
  return (role === "user" || role === "assistant") && hasBlocks && typeof model === "string";
}

function parseListRootsResult(result: JsonObject): ListRootsResult {
  if (!isListRootsResult(result))
    throw invalidAnswer("roots/list", `expected "roots", each with a "uri"`);
  return result;
}

function isListRootsResult(result: JsonObject): result is JsonObject & ListRootsResult {
  const { roots } = result;
  return (
    Array.isArray(roots) && roots.every((root) => isObject(root) && typeof root["uri"] === "string")
  );
}

function invalidAnswer(method: string, what: string): WireError {
  return refuseParams(`The client's answer to ${method} cannot be read: ${what}`);
}
