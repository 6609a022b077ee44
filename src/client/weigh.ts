/** What a value read from JSON weighs in memory, about. */

import { isObject } from "../protocol/index.ts";

/** What each member, element, number and empty string costs at least. */
const leastBytes = 16;

/**
 * Gives the bytes of all its texts and names, and a little for every value.
 *
 * @param enough where weighing ends: more than this is too much in any case
 */
export function weigh(value: unknown, enough: number): number {
  let bytes = 0;
  const rest: unknown[] = [value]; // no recursion: a line may be nested as deep as it is long
  while (rest.length > 0 && bytes <= enough) {
    const each = rest.pop();
    bytes += leastBytes;
    if (typeof each === "string") bytes += Buffer.byteLength(each);
    else if (Array.isArray(each)) for (const element of each) rest.push(element);
    else if (isObject(each)) {
      for (const [name, member] of Object.entries(each)) {
        bytes += Buffer.byteLength(name);
        rest.push(member);
      }
    }
  }
  return bytes;
}
