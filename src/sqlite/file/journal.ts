/** Undoes in a copy what a rollback journal says is not finished. @see https://sqlite.org/fileformat2.html#the_rollback_journal */

import { fstatSync, ftruncateSync, readSync } from "node:fs";
import { giveWay, writeAll } from "./copy-file.ts";
import { isPageSize } from "./header.ts";

/** A part of a journal, which was written to the disk as one; of a later part, SQLite reads no more than this. */
interface JournalSection {
  /** How many records follow; what it says where the program does not wait for its disk is "all there are". */
  readonly records: number;
  /** A random number, which makes this journal, and the checksums in it, unlike the one before. */
  readonly nonce: number;
}

export interface JournalHeader extends JournalSection {
  /** How many pages the database had before the change. */
  readonly pages: number;
  readonly sectorSize: number;
  readonly pageSize: number;
}

/** Reads the header at the beginning; `undefined` where SQLite sees none. */
export function readJournalHeader(journal: number): JournalHeader | undefined {
  const bytes = readSection(journal, 0);
  if (bytes === undefined) return undefined;
  const sectorSize = bytes.readUInt32BE(20);
  const pageSize = bytes.readUInt32BE(24);
  const isSectorSize = sectorSize >= 32 && sectorSize <= 65_536 && isPowerOfTwo(sectorSize);
  if (!isSectorSize || !isPageSize(pageSize)) return undefined;
  return { ...toSection(bytes), pages: bytes.readUInt32BE(16), sectorSize, pageSize };
}

function readSection(journal: number, at: number): Buffer | undefined {
  const bytes = Buffer.alloc(28);
  const bytesRead = readSync(journal, bytes, 0, bytes.length, at);
  return bytesRead === bytes.length && bytes.subarray(0, 8).equals(magic) ? bytes : undefined;
}

function toSection(bytes: Buffer): JournalSection {
  return { records: bytes.readUInt32BE(8), nonce: bytes.readUInt32BE(12) };
}

/**
 * Writes each page as it was before the change into the copy, and gives the copy its size from before.
 *
 * Gives `false` where the journal cannot tell: it has no header, or it belongs to a change of several databases, which is
 * finished or not by another file.
 */
export async function undoChange(
  journal: number,
  copy: number,
  signal: AbortSignal,
): Promise<boolean> {
  const first = readJournalHeader(journal);
  const { size } = fstatSync(journal);
  if (first === undefined || isOfSeveral(journal, size)) return false;
  const { sectorSize, pageSize, pages } = first;
  const recordBytes = 4 + pageSize + 4;
  const most = Math.max(1, Math.floor(262_144 / recordBytes));
  const piece = Buffer.allocUnsafe(most * recordBytes);
  let section: JournalSection | undefined = first;
  for (let at = 0; section !== undefined;) {
    at += sectorSize;
    const whole = Math.max(0, Math.floor((size - at) / recordBytes));
    const records = Math.min(section.records, whole); // "all there are" is the largest number
    for (let done = 0; done < records;) {
      const length = Math.min(most, records - done) * recordBytes;
      const bytesRead = readSync(journal, piece, 0, length, at + done * recordBytes);
      let start = 0;
      for (; start + recordBytes <= bytesRead; start += recordBytes) {
        const page = piece.readUInt32BE(start);
        if (page > pages) continue; // as SQLite, which does not ask for its checksum either
        if (page === 0 || !isChecked(piece, start, pageSize, section.nonce)) break;
        writeAll(copy, piece, start + 4, pageSize, (page - 1) * pageSize);
      }
      if (start < length) return cut(copy, pages * pageSize); // a record that was never written whole, and so never used
      done += start / recordBytes;
      await giveWay(signal);
    }
    at = Math.ceil((at + records * recordBytes) / sectorSize) * sectorSize;
    const bytes = readSection(journal, at);
    section = bytes === undefined ? undefined : toSection(bytes);
  }
  return cut(copy, pages * pageSize);
}

const magic = Buffer.from("d9d505f920a163d7", "hex");

/** Whether its end names the file that a change of several databases shares. */
function isOfSeveral(journal: number, size: number): boolean {
  const bytes = Buffer.alloc(magic.length);
  readSync(journal, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
  return bytes.equals(magic);
}

/** A record's checksum is of every 200th byte of its page, from the end. */
function isChecked(bytes: Buffer, start: number, pageSize: number, nonce: number): boolean {
  let sum = nonce;
  for (let at = pageSize - 200; at > 0; at -= 200) sum += bytes.readUInt8(start + 4 + at);
  return bytes.readUInt32BE(start + 4 + pageSize) === sum >>> 0;
}

function cut(copy: number, bytes: number): true {
  ftruncateSync(copy, bytes);
  return true;
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0;
}
