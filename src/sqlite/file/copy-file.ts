/** Copies an open file into another a piece at a time, or tells whether two are the same; others have their turn meanwhile. */

import type { FileHandle } from "node:fs/promises";

export interface CopyPlace {
  readonly path: string;
  readonly copy: FileHandle;
  readonly signal: AbortSignal;
}

/** Throws the signal's reason between two pieces. */
export async function copyFile(
  from: FileHandle,
  to: FileHandle,
  signal: AbortSignal,
): Promise<number> {
  let [piece, other] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  let at = 0;
  let { bytesRead: length } = await from.read(piece, 0, pieceBytes, 0);
  while (length > 0) {
    signal.throwIfAborted();
    const [, { bytesRead }] = await Promise.all([
      writeAll(to, piece, length, at),
      from.read(other, 0, pieceBytes, at + length),
    ]);
    at += length;
    length = bytesRead;
    [piece, other] = [other, piece];
  }
  await to.truncate(at);
  return at;
}

export async function isSameContent(
  one: FileHandle,
  two: FileHandle,
  signal: AbortSignal,
): Promise<boolean> {
  const [piece, other] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const [{ bytesRead }, second] = await Promise.all([
      one.read(piece, 0, pieceBytes, at),
      two.read(other, 0, pieceBytes, at),
    ]);
    if (bytesRead !== second.bytesRead) return false;
    if (bytesRead === 0) return true;
    if (piece.compare(other, 0, bytesRead, 0, bytesRead) !== 0) return false;
    at += bytesRead;
  }
}

const pieceBytes = 1024 ** 2;

async function writeAll(
  file: FileHandle,
  bytes: Buffer,
  length: number,
  at: number,
): Promise<void> {
  let done = 0;
  while (done < length)
    done += (await file.write(bytes, done, length - done, at + done)).bytesWritten;
}
