/** Reads the file that says which keyword is in which bucket: two columns, separated by commas (CSV) or tabs (TSV). */

import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { UsageError } from "../../protocol/index.ts";
import { importLimits } from "./page.ts";

/** By keyword, without the spaces around it; one whose bucket is empty is in none: `null`. */
export type Buckets = ReadonlyMap<string, string | null>;

/** Throws a `UsageError` that names file and line for what cannot be. */
export function readBuckets(file: string): Buckets {
  const text = readText(file);
  const rows = parseRows(text, file.toLowerCase().endsWith(".tsv") ? "\t" : ",", file);
  const [head] = rows;
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const hasHead = names.includes("keyword") && names.includes("bucket");
  const [at, to] = hasHead ? [names.indexOf("keyword"), names.indexOf("bucket")] : [0, 1];
  const buckets = new Map<string, string | null>();
  for (const { cells, line } of rows.slice(hasHead ? 1 : 0)) {
    const [keyword = "", name] = [cells[at]?.trim(), cells[to]?.trim()];
    if (keyword === "" || name === undefined || (!hasHead && cells.length > 2))
      throw refuse(`${file}:${line}`, `it has ${cells.length} columns`, "keyword and bucket");
    if (name.length > importLimits.bucket)
      throw refuse(
        `${file}:${line}`,
        `its bucket has ${name.length} characters`,
        `at most ${importLimits.bucket}`,
      );
    const bucket = name === "" ? null : name;
    const before = buckets.get(keyword);
    if (before !== undefined && before !== bucket)
      throw refuse(
        `${file}:${line}`,
        "its keyword is in another bucket further up",
        "one bucket for each",
      );
    buckets.set(keyword, bucket);
  }
  return buckets;
}

function readText(file: string): string {
  const { bucketsBytes } = importLimits;
  try {
    const stat = statSync(file);
    const { size } = stat;
    if (!stat.isFile()) throw refuse(file, "it is no plain file", "a file of keywords and buckets");
    if (size > bucketsBytes) throw refuse(file, `it has ${size} bytes`, `at most ${bucketsBytes}`);
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || cause instanceof UsageError) throw cause;
    throw refuse(
      file,
      `it cannot be read (${String(cause.code)})`,
      "a file of keywords and buckets",
      cause,
    );
  }
  throw refuse(file, "it is no UTF-8", "keywords and buckets in UTF-8");
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Of any column, in characters: also those that nobody asked for. */
const longestCell = 4_096;

/** @see https://www.rfc-editor.org/rfc/rfc4180 */
function parseRows(text: string, separator: string, file: string): readonly Row[] {
  const rows: Row[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  const cell = new RegExp(
    `(?:"((?:[^"]|""){0,${longestCell}})"|([^"\r\n${separator}][^\r\n${separator}]{0,${longestCell}})?)(${separator}|\r?\n|\r|$)`,
    "y",
  );
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null)
      throw refuse(
        `${file}:${line}`,
        "a cell does not end",
        `quotes that close, and at most ${longestCell} characters`,
      );
    const [whole, quoted, plain = "", end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split(/\r?\n|\r/).length - 1;
    if (end === separator && from + whole.length < text.length) continue;
    if (end === separator) cells.push("");
    if (cells.length > 1 || cells[0]?.trim() !== "") rows.push({ cells, line: start });
    cells = [];
    start = line;
  }
  return rows;
}

function refuse(place: string, what: string, expected: string, cause?: unknown): UsageError {
  return new UsageError("bad-buckets", `Cannot read "${place}": ${what}, expected ${expected}`, {
    hint: "a line such as: green tea,informational",
    cause,
  });
}
