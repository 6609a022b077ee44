/** Reads a tool's arguments from the command line, or from stdin. */

import { isUtf8 } from "node:buffer";
import {
  describeValue,
  isObject,
  scanJson,
  UsageError,
  type JsonObject,
} from "../../protocol/index.ts";

/** How many bytes are read from stdin: it bounds the memory. */
export const maxArgumentBytes = 16 * 1024 * 1024;

/** Gives `{}` where there is no text. Throws a `UsageError` that says where the text stops being JSON. */
export async function readArguments(
  text: string | undefined,
  stdin: AsyncIterable<Uint8Array>,
  example: string,
): Promise<JsonObject> {
  if (text === undefined) return {};
  const hint = `${example} '{"name":"value"}' -- <command>`;
  return parseArguments(text === "-" ? await readAll(stdin) : text, hint);
}

function parseArguments(given: string, hint: string): JsonObject {
  const text = given.replace(/^\uFEFF/, ""); // some editors put a byte order mark before a file
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError("not-json", `Cannot read the arguments: ${findMistake(text)}`, {
      hint,
      cause,
    });
  }
  if (isObject(value)) return value;
  throw new UsageError(
    "not-an-object",
    `Cannot read the arguments: they are ${describeValue(value)}, expected a JSON object`,
    { hint },
  );
}

/** Says what stands where JSON ends, in words for a person at a shell: lines and columns from 1. */
function findMistake(text: string): string {
  const scan = scanJson(text);
  const at = scan.kind === "error" ? scan.at : scan.end;
  const expected = scan.kind === "error" ? scan.expected : "the end";
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  const place =
    before.length === 1 ? `column ${column}` : `line ${before.length}, column ${column}`;
  const found =
    at >= text.length ? "they end" : `${JSON.stringify(text.slice(at, at + 12))} stands`;
  return `${found} at ${place}, expected ${expected}`;
}

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stdin) {
    length += piece.length;
    if (length > maxArgumentBytes) {
      throw new UsageError(
        "too-long",
        `Cannot read the arguments: stdin brought more than ${maxArgumentBytes} bytes (maxArgumentBytes), expected a JSON object`,
      );
    }
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new UsageError(
    "not-utf8",
    "Cannot read the arguments: stdin brought bytes that are no UTF-8, expected a JSON object in UTF-8",
  );
}
