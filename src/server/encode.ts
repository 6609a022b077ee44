/** Writes tool results and content in the words of the caller's revision. */

import type { CallToolResult, ContentBlock, JsonObject, Revision } from "../protocol/index.ts";

/**
 * Fits a tool's result to a revision: content of a kind it does not know becomes a text, and structured content that it
 * cannot carry is left out (the text beside it says the same).
 */
export function encodeToolResult(
  result: CallToolResult,
  revision: Revision,
): CallToolResult & JsonObject {
  const content = encodeContent(result.content, revision);
  const keepsStructure = canCarry(result.structuredContent, revision);
  if (keepsStructure && content === result.content) return { ...result };
  const { structuredContent, ...rest } = result;
  return keepsStructure ? { ...rest, content, structuredContent } : { ...rest, content };
}

/** Gives the same list when every block is of a kind the revision knows. */
function encodeContent(
  content: readonly ContentBlock[],
  revision: Revision,
): readonly ContentBlock[] {
  if (content.every((block) => revision.contentTypes.has(block.type))) return content;
  return content.map((block) => encodeBlock(block, revision));
}

/** Gives the block itself, or a text in its place. */
export function encodeBlock(block: ContentBlock, revision: Revision): ContentBlock {
  if (revision.contentTypes.has(block.type)) return block;
  if (block.type === "resource_link") return { type: "text", text: `${block.name}: ${block.uri}` };
  return { type: "text", text: `[${block.type}, which MCP ${revision.version} cannot carry]` };
}

function canCarry(structuredContent: unknown, revision: Revision): boolean {
  if (structuredContent === undefined || revision.structuredContent === "any") return true;
  const isObject =
    typeof structuredContent === "object" &&
    structuredContent !== null &&
    !Array.isArray(structuredContent);
  return revision.structuredContent === "object" && isObject;
}

/** Whether a revision can carry values of this output schema; up to 2025-11-25 its root must be an object. */
export function canCarrySchema(schema: JsonObject | undefined, revision: Revision): boolean {
  return (
    schema === undefined || revision.structuredContent === "any" || schema["type"] === "object"
  );
}
