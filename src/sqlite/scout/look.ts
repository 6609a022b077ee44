/** Finds a state of the database that can be read: in its place, or as a private copy. */

import { lstatSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { inspectDatabase } from "../file/inspect.ts";
import { DatabaseRefusal } from "../file/refusals.ts";
import { noPlace } from "../file/snapshot-folder.ts";
import { QueryError } from "../query-error.ts";
import type { ScoutReply, ScoutRequest } from "./request.ts";

/** Gives what it found, or why there is nothing; an error that is no such reason is a bug. */
export async function look(
  request: ScoutRequest,
  folder: string,
  signal: AbortSignal,
): Promise<ScoutReply> {
  const { path, root, databaseBytes, budgetMs, copies } = request;
  try {
    const inspection = await inspectDatabase(path, {
      databaseBytes,
      ...(root !== undefined && { root }),
    });
    const { path: real } = inspection;
    const named = resolve(path);
    if (inspection.way === "in-place" && !copies) {
      const { way, fingerprint } = inspection;
      return { kind: "found", file: real, way, owner: { named, real, fingerprint } };
    }
    const { takeSnapshot } = await import("../file/snapshot.ts"); // most databases are read in their place
    makeFolder(folder);
    const copy = await takeSnapshot(real, folder, { databaseBytes, budgetMs, signal });
    const owner = { named, real, fingerprint: copy.fingerprint };
    return { kind: "found", file: copy.path, way: "copy", owner };
  } catch (thrown) {
    return explain(thrown);
  }
}

/** Another scout of the same parent may have made it; a folder of somebody else's would be theirs to look into. */
function makeFolder(folder: string): void {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  const user = process.getuid?.(); // Windows has none, and a folder for temporary files for each
  const isOurs = user === undefined || (there?.uid === user && (there.mode & 0o077) === 0);
  if (isOurs && there?.isDirectory() === true) return;
  try {
    mkdirSync(folder, 0o700);
  } catch (cause) {
    throw noPlace(cause);
  }
}

function explain(thrown: unknown): ScoutReply {
  if (thrown instanceof DatabaseRefusal) {
    const { reason, path, real, detail } = thrown;
    const refusal = { reason, path, real, ...(detail !== undefined && { detail }) };
    return { kind: "refused", refusal };
  }
  if (!(thrown instanceof QueryError)) throw thrown;
  const { message, hint, retryAfterMs } = thrown;
  return {
    kind: "failed",
    failure: {
      kind: thrown.kind === "busy" ? "busy" : "database-unavailable",
      message,
      ...(hint !== undefined && { hint }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  };
}
