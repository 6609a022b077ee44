/** Reads the first 100 bytes of a database. @see https://sqlite.org/fileformat2.html#the_database_header */

export interface Header {
  readonly pageSize: number;
  /** Whether changes go to a write-ahead log first, and not into the file. */
  readonly isLogged: boolean;
  /** How many pages the file has; `undefined` where an old program left no true number. */
  readonly pages: number | undefined;
}

/** What the bytes are not. */
export type HeaderFault = "empty" | "not-a-database" | "unsupported-format";

/** Reads what `takeFingerprint` gives as `header`, or says what is wrong, as SQLite itself would when it opens the file. */
export function readHeader(hex: string): Header | HeaderFault {
  if (hex === "") return "empty";
  const bytes = Buffer.from(hex, "hex");
  if (bytes.length < 100 || bytes.toString("latin1", 0, 16) !== magic) return "not-a-database";
  const pageSize = toPageSize(bytes.readUInt16BE(16));
  const isFixed = bytes[21] === 64 && bytes[22] === 32 && bytes[23] === 32; // "must be", says the format
  const usable = pageSize - bytes.readUInt8(20);
  if (!isPageSize(pageSize) || usable < 480 || !isFixed) return "not-a-database";
  const isKnown = bytes.readUInt8(18) <= 2 && bytes.readUInt8(19) <= 2; // 1: rollback journal, 2: write-ahead log
  if (!isKnown || bytes.readUInt32BE(44) > 4) return "unsupported-format";
  const isCounted = bytes.readUInt32BE(24) === bytes.readUInt32BE(92); // the number of pages is of this very change
  return {
    pageSize,
    isLogged: bytes.readUInt8(19) === 2,
    pages: isCounted ? bytes.readUInt32BE(28) : undefined,
  };
}

/** A power of two from 512 to 65 536. */
export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

const magic = "SQLite format 3\0";

function toPageSize(stored: number): number {
  return stored === 1 ? 65_536 : stored;
}
