/** Reads results into what callers get: what is odd is remarked, what is unusable fails the call. */

import {
  describeValue,
  isObject,
  type CallToolResult,
  type Completion,
  type GetPromptResult,
  type JsonObject,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from "../protocol/index.ts";
import { ResultFailure } from "./client-error.ts";
import type { Observations } from "./observations.ts";

/** A result without `content` reads as one with none: older servers leave it out beside `structuredContent`. */
export function readToolResult(result: JsonObject, observations: Observations): CallToolResult {
  if (isToolResult(result)) return result;
  const { content, isError } = result;
  if (content === undefined && isError === undefined) {
    if (!("structuredContent" in result))
      observations.remark('A tool result has neither "content" nor "structuredContent"');
    return { ...result, content: [] };
  }
  if (!Array.isArray(content))
    throw new ResultFailure(
      `the result's "content" is ${describeValue(content)}, expected an array`,
    );
  if (isError !== undefined && typeof isError !== "boolean") {
    throw new ResultFailure(
      `the result's "isError" is ${describeValue(isError)}, expected a boolean`,
    );
  }
  const index = content.findIndex((block) => !isTyped(block));
  throw new ResultFailure(
    `the result's content block ${index} has no type, expected objects with a "type"`,
  );
}

export function readResourceResult(result: JsonObject): ReadResourceResult {
  if (isResourceResult(result)) return result;
  throw new ResultFailure(
    `the result's "contents" is ${describeValue(result["contents"])}, expected an array of objects with a "uri"`,
  );
}

export function readPromptResult(result: JsonObject): GetPromptResult {
  if (isPromptResult(result)) return result;
  throw new ResultFailure(
    `the result's "messages" is ${describeValue(result["messages"])}, expected an array of objects with a "role"`,
  );
}

export function readCompletion(result: JsonObject): Completion {
  const { completion } = result;
  if (isCompletion(completion)) return completion;
  throw new ResultFailure(
    `the result's "completion" is ${describeValue(completion)}, expected an object with "values"`,
  );
}

export function isTool(item: unknown): item is Tool {
  return isObject(item) && typeof item["name"] === "string" && isObject(item["inputSchema"]);
}

export function isResource(item: unknown): item is Resource {
  return isObject(item) && typeof item["uri"] === "string";
}

export function isResourceTemplate(item: unknown): item is ResourceTemplate {
  return isObject(item) && typeof item["uriTemplate"] === "string";
}

export function isPrompt(item: unknown): item is Prompt {
  return isObject(item) && typeof item["name"] === "string";
}

function isToolResult(result: JsonObject): result is JsonObject & CallToolResult {
  const { content, isError } = result;
  return (
    Array.isArray(content) &&
    content.every(isTyped) &&
    (isError === undefined || typeof isError === "boolean")
  );
}

function isTyped(block: unknown): boolean {
  return isObject(block) && typeof block["type"] === "string";
}

function isResourceResult(result: JsonObject): result is JsonObject & ReadResourceResult {
  const { contents } = result;
  return (
    Array.isArray(contents) &&
    contents.every((each) => isObject(each) && typeof each["uri"] === "string")
  );
}

function isPromptResult(result: JsonObject): result is JsonObject & GetPromptResult {
  const { messages } = result;
  return (
    Array.isArray(messages) &&
    messages.every((each) => isObject(each) && typeof each["role"] === "string")
  );
}

function isCompletion(value: unknown): value is JsonObject & Completion {
  return (
    isObject(value) &&
    Array.isArray(value["values"]) &&
    value["values"].every((each) => typeof each === "string")
  );
}
