/** Copies an open file into another, or tells whether two are the same. */

import { ftruncateSync, readSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** Where a copy comes from and goes to. */
export interface CopyPlace {
  /** The path of the database. */
  readonly path: string;
  /** The open file of the copy. */
  readonly copy: number;
  readonly signal: AbortSignal;
}

/** Lets others have their turn between two pieces of work. Throws the signal's reason. */
export async function giveWay(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** Copies the first bytes, up to this size: what a writer adds meanwhile is not of the state that is copied. */
export async function copyFile(
  from: number,
  to: number,
  size: number,
  signal: AbortSignal,
): Promise<void> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let at = 0;
  while (at < size) {
    const length = readSync(from, piece, 0, Math.min(pieceBytes, size - at), at);
    if (length === 0) break;
    writeAll(to, piece, 0, length, at);
    at += length;
    if (at < size) await giveWay(signal);
  }
  ftruncateSync(to, at); // an earlier attempt may have left more
}

/** Whether both hold the same bytes, and as many. */
export async function isSameContent(
  one: number,
  two: number,
  signal: AbortSignal,
): Promise<boolean> {
  const [piece, other] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  for (let at = 0; ; at += pieceBytes) {
    const length = readSync(one, piece, 0, pieceBytes, at);
    if (readSync(two, other, 0, pieceBytes, at) !== length) return false;
    if (piece.compare(other, 0, length, 0, length) !== 0) return false;
    if (length < pieceBytes) return true;
    await giveWay(signal);
  }
}

/** Writes a part of the bytes at this place of the file: a system may take less at once than it is given. */
export function writeAll(
  file: number,
  bytes: Buffer,
  start: number,
  length: number,
  at: number,
): void {
  for (let done = 0; done < length;)
    done += writeSync(file, bytes, start + done, length - done, at + done);
}

const pieceBytes = 1024 ** 2;
