/** Shows the result of a tool call to a person: texts as they are, everything else in one line. */

import {
  escapeJson,
  isObject,
  toPrintable,
  toPrintableLines,
  UsageError,
  type CallToolResult,
  type JsonObject,
} from "../../protocol/index.ts";

/** Structured content is shown where there is no text: with it, the text says the same. */
export function showResult({ content, structuredContent }: CallToolResult): string {
  const blocks = content.map(showBlock);
  const hasText = content.some(({ type }) => type === "text");
  if (structuredContent !== undefined && !hasText) blocks.push(showJson(structuredContent));
  return blocks.join("\n");
}

/**
 * Gives one JSON document of several lines, safe for a terminal.
 *
 * Throws a `UsageError` for what is nested too deep to be written.
 */
export function showJson(value: unknown): string {
  try {
    return escapeJson(JSON.stringify(value, undefined, 2));
  } catch (cause) {
    const what =
      "Cannot show the result: it is nested too deep, expected what can be written as JSON";
    throw new UsageError("too-deep", what, {
      hint: "genkan call --verbose … shows the start of it",
      cause,
    });
  }
}

/** The types of a block are the server's word: what is not as declared is shown by its type alone. */
function showBlock(block: JsonObject | CallToolResult["content"][number]): string {
  const { type, text, data, mimeType, uri, name, resource }: JsonObject = { ...block };
  switch (type) {
    case "text":
      return typeof text === "string" ? toPrintableLines(text) : "[text]";
    case "image":
    case "audio":
      return bracket([type, mimeType], sizeOf(data));
    case "resource_link":
      return bracket(["resource", uri, mimeType], name);
    case "resource": {
      if (!isObject(resource)) return "[resource]";
      const label = bracket(
        ["resource", resource["uri"], resource["mimeType"]],
        sizeOf(resource["blob"]),
      );
      const inner = resource["text"];
      return typeof inner === "string" ? `${label}\n${toPrintableLines(inner)}` : label;
    }
  }
  return bracket([type]);
}

function bracket(words: readonly unknown[], more?: unknown): string {
  const start = words.filter((word) => typeof word === "string").join(" ");
  return `[${toPrintable(typeof more === "string" ? `${start}, ${more}` : start, 300)}]`;
}

function sizeOf(base64: unknown): string | undefined {
  return typeof base64 === "string" ? `${Buffer.byteLength(base64, "base64")} bytes` : undefined;
}
