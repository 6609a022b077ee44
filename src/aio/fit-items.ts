/** Keeps a result within its limit of bytes: fewer items, told as such, are better than a refusal. */

import { Buffer } from "node:buffer";

/** For the envelope around a tool's data, with its warnings. */
export const envelopeBytes = 6_000;

/** Gives the first items whose JSON has at most so many bytes together. */
export function fitItems<Item extends object>(
  items: readonly Item[],
  bytes: number,
): readonly Item[] {
  let left = bytes;
  const end = items.findIndex((item) => (left -= sizeOf(item)) < 0);
  return end === -1 ? items : items.slice(0, end);
}

/** Gives both lists their half, and each what the other leaves. */
export function fitTwo<First extends object, Second extends object>(
  first: readonly First[],
  second: readonly Second[],
  bytes: number,
): readonly [readonly First[], readonly Second[]] {
  const rest = bytes - sizeOfAll(second);
  const fitting = fitItems(first, Math.max(Math.floor(bytes / 2), rest));
  return [fitting, fitItems(second, bytes - sizeOfAll(fitting))];
}

export function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1; // and its comma
}

function sizeOfAll(items: readonly object[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}
