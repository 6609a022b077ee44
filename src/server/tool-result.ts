/** What a tool gives back, and how it becomes the result of `tools/call`. */

import type { CallToolResult, ContentBlock } from "../protocol/index.ts";

/** A whole result, where a text or a value is not enough: several content blocks, pictures, links. */
export class ToolResult {
  readonly result: CallToolResult;

  constructor(content: readonly ContentBlock[], options: Omit<CallToolResult, "content"> = {}) {
    this.result = { content, ...options };
  }
}

/** Makes the result for a tool without an output schema: a text stays a text, any other value becomes its JSON. */
export function toPlainResult(value: unknown): CallToolResult {
  if (value instanceof ToolResult) return value.result;
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  const text: string | undefined = JSON.stringify(value);
  return { content: text === undefined ? [] : [{ type: "text", text }] }; // undefined, a function or a symbol has no JSON
}

/**
 * Makes the result for a tool with an output schema: the checked value as structured content, and the same as text, unless
 * the tool wrote the rest of the result itself.
 */
export function toStructuredResult(value: unknown, whole?: CallToolResult): CallToolResult {
  if (whole !== undefined) return { ...whole, structuredContent: value };
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** Makes the result for a failure that a model can mend. */
export function toErrorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
