/** Reads one file of an import, bounded, and takes its digest, by which it is known again. */

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { importLimits } from "./page.ts";

export interface ReadFile {
  /** From the root. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

export interface Unreadable {
  readonly fault: string;
  /** Something to type. */
  readonly hint?: string;
}

/** Gives the file, or what is wrong with it. */
export function readFile(name: string): ReadFile | Unreadable {
  const path = resolve(name);
  try {
    const bytes = readBytes(path, name);
    if (!(bytes instanceof Uint8Array)) return bytes;
    return { path, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    if (code === "") throw thrown;
    const isMissing = code === "ENOENT";
    const what = isMissing ? "there is no such file" : `it cannot be read (${code})`;
    return {
      fault: `${what}, expected a page of results`,
      ...(isMissing && name.includes("*") && { hint: "the pattern matched no file" }),
    };
  }
}

/** Opening what is no file does not wait: a pipe would, for ever. */
function readBytes(path: string, name: string): Uint8Array | Unreadable {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory())
      return { fault: "it is a directory, expected a file", hint: join(name, "*.json") };
    if (!stat.isFile()) return { fault: "it is no plain file, expected a file" };
    const { fileBytes } = importLimits;
    if (stat.size > fileBytes)
      return { fault: `it has ${stat.size} bytes, expected at most ${fileBytes}` };
    const bytes = new Uint8Array(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, bytes.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
