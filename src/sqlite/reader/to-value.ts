/** Turns what SQLite gives into a value of JSON. */

import { Buffer } from "node:buffer";
import type { Value } from "../query.ts";

/** Gives `undefined` for what is larger than a cell may be. */
export function toValue(cell: unknown, cellBytes: number): Value | undefined {
  if (typeof cell === "string")
    return cell.length * 3 > cellBytes && Buffer.byteLength(cell) > cellBytes ? undefined : cell;
  if (typeof cell === "bigint") {
    const number = Number(cell);
    return Number.isSafeInteger(number) ? number : String(cell);
  }
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : String(cell);
  if (!(cell instanceof Uint8Array)) return null;
  if (cell.length > cellBytes) return undefined;
  return { blob_bytes: cell.length, sha256: digest(cell) };
}

/** Most databases have no blobs, and a reader starts at once. */
function digest(bytes: Uint8Array): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes);
}
