/** Refuses what no reader could read, by a fingerprint alone. */

import { lstatSync } from "node:fs";
import type { Fingerprint } from "./fingerprint.ts";
import { takeFingerprint } from "./fingerprint.ts";
import { readHeader, type Header } from "./header.ts";
import { DatabaseRefusal } from "./refusals.ts";

export interface CheckedDatabase {
  readonly fingerprint: Fingerprint;
  readonly header: Header;
}

/**
 * Takes the fingerprint of the file at this path, which is real. Throws a `DatabaseRefusal`.
 *
 * @param named What its user calls it.
 */
export function checkDatabase(path: string, databaseBytes: number, named = path): CheckedDatabase {
  const fingerprint = takeFingerprint(path);
  if (fingerprint === undefined) {
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    throw new DatabaseRefusal(isThere ? "unreadable" : "no-such-file", named, { real: path });
  }
  const { size, wal } = fingerprint;
  const header = readHeader(fingerprint.header);
  if (typeof header === "string") throw new DatabaseRefusal(header, named, { real: path });
  if (wal?.header === "")
    throw new DatabaseRefusal("unreadable", named, { real: `${path}-wal`, detail: "its -wal" });
  const bytes = Number(size) + Number(wal?.size ?? 0);
  if (bytes > databaseBytes) {
    const detail = `${bytes} bytes of ${databaseBytes}`;
    throw new DatabaseRefusal("too-big", named, { real: path, detail });
  }
  return { fingerprint, header };
}
