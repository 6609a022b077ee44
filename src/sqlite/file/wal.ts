/** Reads a write-ahead log as SQLite recovers it. @see https://sqlite.org/fileformat2.html#the_write_ahead_log */

import { ftruncateSync, readSync } from "node:fs";
import { giveWay, writeAll } from "./copy-file.ts";
import { isPageSize } from "./header.ts";

/** What a log adds to the file it belongs to: the last committed version of each page that it holds. */
export interface Log {
  readonly pageSize: number;
  /** How many pages the database has after the last commit. */
  readonly pages: number;
  /** By page number, counted from 1: which frame of the log holds it, counted from 0. */
  readonly frames: ReadonlyMap<number, number>;
}

/** What stands at the start of a log, and makes its frames its own. */
export interface LogHeader {
  readonly pageSize: number;
  /** The frames' checksums are of numbers with the first byte lowest. */
  readonly isLittleEndian: boolean;
  readonly salts: readonly [number, number];
  readonly checksum: Checksum;
}

export type Checksum = readonly [number, number];

export const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Reads the first 32 bytes; `undefined` where SQLite takes the log for empty. */
export function readLogHeader(bytes: Buffer): LogHeader | "unsupported-format" | undefined {
  if (bytes.length < logHeaderBytes) return undefined;
  const magic = bytes.readUInt32BE(0);
  const pageSize = bytes.readUInt32BE(8);
  if (magic >>> 1 !== 0x377f0682 >>> 1 || !isPageSize(pageSize)) return undefined;
  const isLittleEndian = (magic & 1) === 0;
  const checksum = addChecksum([0, 0], bytes, 0, 24, isLittleEndian);
  if (!isChecksum(bytes, 24, checksum)) return undefined;
  if (bytes.readUInt32BE(4) !== 3_007_000) return "unsupported-format";
  return {
    pageSize,
    isLittleEndian,
    salts: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
    checksum,
  };
}

/**
 * Reads the frames of a log up to its last commit; what is behind it was never committed, or is of an earlier generation.
 *
 * Gives `undefined` where nothing was committed. Reads a piece at a time, so that others have their turn.
 *
 * @param size How many bytes of the log are read: a writer may be adding to it all the time.
 */
export async function readLog(
  file: number,
  header: LogHeader,
  size: number,
  signal: AbortSignal,
): Promise<Log | undefined> {
  const { pageSize, isLittleEndian, salts } = header;
  const frameBytes = frameHeaderBytes + pageSize;
  const piece = Buffer.allocUnsafe(framesInPiece(pageSize) * frameBytes);
  const pageOfFrame: number[] = [];
  let { checksum } = header;
  let committed = 0;
  let pages = 0;
  scan: for (;;) {
    const at = logHeaderBytes + pageOfFrame.length * frameBytes;
    const length = Math.max(0, Math.min(piece.length, size - at));
    const bytesRead = readSync(file, piece, 0, length, at);
    if (bytesRead < frameBytes) break;
    for (let start = 0; start + frameBytes <= bytesRead; start += frameBytes) {
      const page = piece.readUInt32BE(start);
      const isOurs =
        piece.readUInt32BE(start + 8) === salts[0] && piece.readUInt32BE(start + 12) === salts[1];
      if (!isOurs || page === 0) break scan;
      checksum = addChecksum(checksum, piece, start, 8, isLittleEndian);
      checksum = addChecksum(checksum, piece, start + frameHeaderBytes, pageSize, isLittleEndian);
      if (!isChecksum(piece, start + 16, checksum)) break scan;
      pageOfFrame.push(page);
      const total = piece.readUInt32BE(start + 4); // 0, but for the last frame of a commit
      if (total === 0) continue;
      committed = pageOfFrame.length;
      pages = total;
    }
    await giveWay(signal);
  }
  if (committed === 0) return undefined;
  const frames = new Map<number, number>();
  for (const [frame, page] of pageOfFrame.entries()) {
    if (frame >= committed) break;
    if (page <= pages) frames.set(page, frame); // what lies behind the end was cut off later
  }
  return { pageSize, pages, frames };
}

/** Writes the pages of the log into a copy of the file, and cuts it to its size; `false` where the log has become shorter. */
export async function applyLog(
  file: number,
  log: Log,
  copy: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { pageSize, pages, frames } = log;
  const frameBytes = frameHeaderBytes + pageSize;
  const most = framesInPiece(pageSize);
  const piece = Buffer.allocUnsafe(most * frameBytes);
  const wanted = [...frames].toSorted(([, a], [, b]) => a - b);
  for (let next = 0; next < wanted.length;) {
    const first = wanted[next]?.[1] ?? 0;
    const at = logHeaderBytes + first * frameBytes;
    const bytesRead = readSync(file, piece, 0, piece.length, at);
    const done = next;
    for (; next < wanted.length; next++) {
      const [page = 0, frame = 0] = wanted[next] ?? [];
      const start = (frame - first) * frameBytes + frameHeaderBytes;
      if (start + pageSize > bytesRead) break;
      writeAll(copy, piece, start, pageSize, (page - 1) * pageSize);
    }
    if (next === done) return false;
    await giveWay(signal);
  }
  ftruncateSync(copy, pages * pageSize);
  return true;
}

/** About a quarter of a megabyte: one piece takes well under a millisecond. */
function framesInPiece(pageSize: number): number {
  return Math.max(1, Math.floor(262_144 / pageSize));
}

/** Goes on with SQLite's checksum over a multiple of 8 bytes. */
export function addChecksum(
  [one, two]: Checksum,
  bytes: Buffer,
  start: number,
  length: number,
  isLittleEndian: boolean,
): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, length);
  for (let at = 0; at < length; at += 8) {
    one = (one + view.getInt32(at, isLittleEndian) + two) | 0;
    two = (two + view.getInt32(at + 4, isLittleEndian) + one) | 0;
  }
  return [one, two];
}

function isChecksum(bytes: Buffer, at: number, [one, two]: Checksum): boolean {
  return bytes.readInt32BE(at) === one && bytes.readInt32BE(at + 4) === two;
}
