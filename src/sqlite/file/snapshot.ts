/** Takes a private copy of a committed state of a database, without a lock and while others write it. */

import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../code-of.ts";
import { QueryError } from "../query-error.ts";
import { checkDatabase } from "./check-database.ts";
import type { CopyPlace } from "./copy-file.ts";
import { copyLogged } from "./copy-logged.ts";
import { copyStill } from "./copy-still.ts";
import { copyUnfinished } from "./copy-unfinished.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { openRegularFile } from "./regular-file.ts";
import { DatabaseRefusal } from "./refusals.ts";
import { noPlace } from "./snapshot-folder.ts";
import { findWriterState, unfinishedWaitMs } from "./writer.ts";

export interface SnapshotOptions {
  /** How large file and log may be together. */
  readonly databaseBytes: number;
  /** How long to try: stops a program that writes without a pause from keeping a reader for ever. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
}

export interface Snapshot {
  /** The copy: one plain file without a log, to be opened as `immutable`, and to be removed by whoever asked for it. */
  readonly path: string;
  /** Nothing that was committed before this was taken is missing in the copy. */
  readonly fingerprint: Fingerprint;
}

/**
 * Copies the database at this path, which is real, into a folder that only this user may enter.
 *
 * Throws a `DatabaseRefusal` where it is no database any more, a `QueryError` where it changes too fast or the copy finds no
 * room, and the signal's reason.
 */
export async function takeSnapshot(
  path: string,
  folder: string,
  options: SnapshotOptions,
): Promise<Snapshot> {
  const deadline = AbortSignal.timeout(options.budgetMs);
  const signals = options.signal === undefined ? [deadline] : [deadline, options.signal];
  const copyPath = join(folder, `${randomBytes(8).toString("hex")}.db`);
  let last: Obstacle | undefined;
  const meet = (obstacle: Obstacle): void => {
    last = obstacle;
  };
  try {
    using copy = openNew(copyPath);
    const place = { path, copy: copy.fd, signal: AbortSignal.any(signals) };
    return { path: copyPath, fingerprint: await retry(place, options.databaseBytes, meet) };
  } catch (thrown) {
    rmSync(copyPath, { force: true });
    options.signal?.throwIfAborted();
    if (thrown instanceof DatabaseRefusal) throw thrown;
    if (deadline.aborted) throw tooLate(last, options.budgetMs, thrown);
    throw explain(path, thrown);
  }
}

function openNew(path: string): Disposable & { readonly fd: number } {
  const fd = openSync(path, "wx+", 0o600);
  return {
    fd,
    [Symbol.dispose]: () => {
      closeSync(fd);
    },
  };
}

/**
 * - `changed`: it was changed while it was copied.
 * - `held`: a program holds it for itself, and leaves no journal by which its change could be undone.
 * - `unfinished`: a change was begun, and nobody is seen who would finish it.
 */
type Obstacle = "changed" | "held" | "unfinished";

async function retry(
  place: CopyPlace,
  databaseBytes: number,
  meet: (obstacle: Obstacle) => void,
): Promise<Fingerprint> {
  const { path, signal } = place;
  let unfinishedSince: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const outcome = await tryOnce(place, databaseBytes);
    if (typeof outcome === "object") return outcome;
    meet(outcome);
    unfinishedSince = outcome === "unfinished" ? (unfinishedSince ?? performance.now()) : undefined;
    if (unfinishedSince !== undefined && performance.now() - unfinishedSince > unfinishedWaitMs)
      throw new DatabaseRefusal("needs-recovery", path);
    await sleep(pauseMs, undefined, { signal });
  }
}

const pauseMs = 2;

/** Gives the fingerprint of what was copied whole, or why it was not. */
async function tryOnce(place: CopyPlace, databaseBytes: number): Promise<Fingerprint | Obstacle> {
  const before = checkDatabase(place.path, databaseBytes);
  using file = openRegularFile(place.path);
  if (file === undefined) return "changed";
  const state = findWriterState(place.path, before);
  if (state === "unfinished") return state;
  if (before.fingerprint.wal !== undefined) {
    using log = openRegularFile(`${place.path}-wal`);
    return log === undefined ? "changed" : await copyLogged(place, file, log, before);
  }
  if (state === "still") return await copyStill(place, file, before);
  if (!before.fingerprint.isJournalHot) return "held";
  using journal = openRegularFile(`${place.path}-journal`);
  return journal === undefined ? "changed" : await copyUnfinished(place, file, journal, before);
}

function tooLate(last: Obstacle | undefined, budgetMs: number, cause: unknown): QueryError {
  const text =
    last === "held"
      ? `Another program keeps the database locked for itself and did not let go within ${budgetMs} ms`
      : `The database changes faster than it can be copied: it could not be copied within ${budgetMs} ms`;
  return new QueryError("busy", text, { retryAfterMs: budgetMs, cause });
}

function explain(path: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error && "syscall" in thrown && "code" in thrown)) return thrown;
  if (thrown.syscall !== "read") return noPlace(thrown);
  return new DatabaseRefusal("unreadable", path, { detail: codeOf(thrown), cause: thrown });
}
