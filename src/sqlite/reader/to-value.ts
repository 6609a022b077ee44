/** Turns what SQLite gives into a value of JSON. */

import { Buffer } from "node:buffer";
import type { Value } from "../query.ts";

export function toValue(cell: unknown): Value {
  if (typeof cell === "string") return cell;
  if (typeof cell === "bigint") {
    const number = Number(cell);
    return Number.isSafeInteger(number) ? number : String(cell);
  }
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : String(cell);
  if (cell instanceof Uint8Array) return { blob_bytes: cell.length, sha256: digest(cell) };
  return null;
}

/** Whether a text or a blob is larger than so many bytes. */
export function isLargerThan(cell: unknown, bytes: number): boolean {
  if (typeof cell === "string")
    return cell.length * most > bytes && Buffer.byteLength(cell) > bytes;
  return cell instanceof Uint8Array && cell.length > bytes;
}

/** One UTF-16 code unit is at most three bytes of UTF-8. */
const most = 3;

/** Read when it is first needed: most databases have no blobs, and a reader starts at once. */
function digest(bytes: Uint8Array): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes);
}
