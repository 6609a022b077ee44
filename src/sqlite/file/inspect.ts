/** Decides how a database is read without a lock, or says by name why it is not. */

import { setTimeout as sleep } from "node:timers/promises";
import { checkDatabase, type CheckedDatabase } from "./check-database.ts";
import { isSettled, type Fingerprint } from "./fingerprint.ts";
import { locateDatabase } from "./locate.ts";
import { DatabaseRefusal } from "./refusals.ts";
import { findWriterState, unfinishedWaitMs } from "./writer.ts";

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
   * - `in-place`: the bytes of the file are a committed state. It is read as `immutable`, and whoever has read compares
   *   fingerprints afterwards.
   * - `copy`: its log holds a part of it, or it has just been written, or its path is too long for SQLite: `takeSnapshot`
   *   gives a committed state.
   */
  readonly way: "in-place" | "copy";
  readonly fingerprint: Fingerprint;
}

/**
 * Throws a `DatabaseRefusal`. Waits a moment where a large file was written just now, and where a change was begun and nobody
 * is seen who would finish it.
 */
export async function inspectDatabase(path: string, options: InspectOptions): Promise<Inspection> {
  const real = locateDatabase(path, options.root);
  for (let waited = 0; ; waited += pauseMs) {
    const database = checkDatabase(real, options.databaseBytes, path);
    const { fingerprint } = database;
    const state = findWriterState(real, database);
    if (state === "unfinished") {
      if (waited >= unfinishedWaitMs) throw new DatabaseRefusal("needs-recovery", path, { real });
    } else {
      const isWhole = state === "still" && fingerprint.wal === undefined;
      const isStill = isWhole && isSettled(fingerprint);
      if (isStill) refuseIncomplete(path, database);
      const isWorthWaiting = Number(fingerprint.size) > quickBytes && waited < settlingMs;
      if (isStill || !isWhole || !isWorthWaiting) {
        const isOpenable = Buffer.byteLength(real) <= longestPath;
        return { path: real, way: isStill && isOpenable ? "in-place" : "copy", fingerprint };
      }
    }
    await sleep(pauseMs);
  }
}

const pauseMs = 20;
/** A larger file is not copied just because it was written a moment ago: the moment is waited for. */
const quickBytes = 16 * 1024 ** 2;
const settlingMs = 80;
/** In bytes: SQLite opens no longer one, for that of a journal has to fit into 512 as well. */
const longestPath = 504;

function refuseIncomplete(path: string, { fingerprint, header }: CheckedDatabase): void {
  const { pages, pageSize } = header;
  const there = Math.floor(Number(fingerprint.size) / pageSize);
  if (pages === undefined || there >= pages) return;
  throw new DatabaseRefusal("incomplete", path, { detail: `${there} of ${pages} pages are there` });
}
