/** Ids of a fixed number of digits, written over each other in bytes made beforehand. */

export const firstId = 10_000_000;
export const idDigits = 8;
const zero = 48;

export function writeId(bytes: Buffer, from: number, id: number): void {
  let rest = id;
  for (let at = from + idDigits - 1; at >= from; at -= 1) {
    bytes[at] = zero + (rest % 10);
    rest = Math.trunc(rest / 10);
  }
}

export function readId(bytes: Buffer, from: number): number {
  let id = 0;
  for (let at = from; at < from + idDigits; at += 1) id = id * 10 + (bytes[at] ?? 0) - zero;
  return id;
}
