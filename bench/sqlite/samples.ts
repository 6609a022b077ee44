/** The samples of aio-probe, from ten thousand observations to a million, each made once and gone when the benches end. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { genkanBin } from "./genkan-bin.ts";

export const sizes = ["e4", "e5", "e6"] as const;

export type Size = (typeof sizes)[number];

/** Each run asks for a thousand keywords, so that the databases differ by the number of runs alone. */
const keywords = 1_000;
/** Some runs are not complete: these come to 10 023, 100 023 and 997 023 observations. */
const runs: Readonly<Record<Size, number>> = { e4: 13, e5: 103, e6: 1_000 };

let folder: string | undefined;
const made = new Map<string, string>();

/** Gives the path of the sample. */
export function makeSample(size: Size): string {
  return made.get(size) ?? make(size, runs[size], keywords);
}

/** @param name the same for the same numbers */
export function make(name: string, runCount: number, keywordCount: number): string {
  folder ??= makeFolder();
  const path = join(folder, `${name}.db`);
  const numbers = ["--runs", String(runCount), "--keywords", String(keywordCount)];
  execFileSync(process.execPath, [genkanBin, "aio", "sample", path, ...numbers]);
  made.set(name, path);
  return path;
}

/** Gives some keywords that have an observation in the newest complete run. */
export function listKeywords(path: string, count: number): readonly string[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT k.keyword FROM observations o JOIN keywords k ON k.id = o.keyword_id
       WHERE o.run_id = (SELECT max(run_id) FROM observations JOIN runs ON runs.id = run_id
                         WHERE runs.status = 'completed') LIMIT ?`,
    )
    .all(count);
  return rows.map(({ keyword }) => String(keyword));
}

function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "genkan-bench-aio-"));
  process.once("exit", () => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}
