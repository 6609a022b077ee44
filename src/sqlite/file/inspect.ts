/** Decides how a database is read without a lock, or says by name why it is not. */

import { lstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isSettled, takeFingerprint, type Fingerprint } from "./fingerprint.ts";
import { readHeader, type Header } from "./header.ts";
import { locateDatabase } from "./locate.ts";
import { findWriterLock } from "./locks.ts";
import { DatabaseRefusal } from "./refusals.ts";

export interface InspectOptions {
  /** The folder that the file has to be in. Default: the one that the path names. */
  readonly root?: string;
  /** How large file and log may be together. */
  readonly databaseBytes: number;
}

export interface Inspection {
  /** The file itself, from the root: no link is left in it. */
  readonly path: string;
  /**
   * - `in-place`: the bytes of the file are a committed state; it is read as `immutable`, and whoever reads compares fingerprints afterwards.
   * - `copy`: its log holds a part of it, or somebody writes: `takeSnapshot` gives a committed state.
   */
  readonly way: "in-place" | "copy";
  readonly fingerprint: Fingerprint;
}

/** Throws a `DatabaseRefusal`. Takes a moment only where a journal lies there and its program may be at work. */
export async function inspectDatabase(path: string, options: InspectOptions): Promise<Inspection> {
  const real = locateDatabase(path, options.root);
  for (let waited = 0; ; waited += pauseMs) {
    const fingerprint = takeFingerprint(real);
    if (fingerprint === undefined) throw explainUnreadable(path, real);
    const header = checkHeader(path, fingerprint);
    checkSize(path, fingerprint, options.databaseBytes);
    const lock = findWriterLock(fingerprint);
    if (fingerprint.isJournalHot && lock === "none") {
      // Its program is dead, or ended just now, or cannot be seen from here.
      if (waited >= journalWaitMs) throw new DatabaseRefusal("needs-recovery", path, { real });
      await sleep(pauseMs);
      continue;
    }
    const isBeingWritten = lock === "writing" && !header.isLogged; // else a write has to show in the log first
    const isStill = fingerprint.wal === undefined && isSettled(fingerprint);
    if (!isStill || isBeingWritten || fingerprint.isJournalHot)
      return { path: real, way: "copy", fingerprint };
    checkEnd(path, header, fingerprint);
    return { path: real, way: "in-place", fingerprint };
  }
}

/** Stops a start from failing because of a change that takes a moment, and from waiting for a program that is dead. */
const journalWaitMs = 500;
const pauseMs = 20;

function explainUnreadable(path: string, real: string): DatabaseRefusal {
  const isThere = lstatSync(real, { throwIfNoEntry: false }) !== undefined;
  return new DatabaseRefusal(isThere ? "unreadable" : "no-such-file", path, { real });
}

function checkHeader(path: string, { header: bytes, wal }: Fingerprint): Header {
  const header = readHeader(bytes);
  if (typeof header === "string") throw new DatabaseRefusal(header, path);
  if (wal !== undefined && wal.header === "")
    throw new DatabaseRefusal("unreadable", path, { detail: "its -wal" });
  return header;
}

function checkSize(path: string, { size, wal }: Fingerprint, most: number): void {
  const bytes = Number(size) + Number(wal?.size ?? 0);
  if (bytes <= most) return;
  throw new DatabaseRefusal("too-big", path, { detail: `${bytes} bytes of ${most}` });
}

function checkEnd(path: string, { pages, pageSize }: Header, { size }: Fingerprint): void {
  if (pages === undefined || Number(size) >= pages * pageSize) return;
  const there = Math.floor(Number(size) / pageSize);
  throw new DatabaseRefusal("incomplete", path, { detail: `${there} of ${pages} pages are there` });
}
