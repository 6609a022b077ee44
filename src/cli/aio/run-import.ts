/** Runs `genkan aio import`, and says what became of each file. */

import { expectOneOf, toPrintable, UsageError } from "../../protocol/index.ts";
import type { FileRemark, ImportSummary } from "../../aio/index.ts";
import type { Exit } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { showJson } from "../server/show-result.ts";

export interface ImportFlags {
  readonly bucket?: string;
  readonly buckets?: string;
  readonly ownBuckets?: boolean;
  readonly run?: number;
  readonly runNote?: string;
  readonly json?: boolean;
}

export async function runImport(
  screen: Screen,
  path: string,
  files: readonly string[],
  { bucket, buckets, ownBuckets, run, runNote, json = false }: ImportFlags,
): Promise<Exit> {
  if (run !== undefined && runNote !== undefined)
    throw new UsageError(
      "odd-option",
      `Cannot note anything on run ${run}: it is there already, expected --run-note for a new run`,
    );
  const { defaultBuckets, importPages } = await import("../../aio/index.ts");
  const summary = await importPages(path, {
    files,
    now: Date.now(),
    ...(bucket !== undefined && { bucket }),
    ...(buckets !== undefined && { buckets }),
    ...(ownBuckets !== undefined && { ownBuckets }),
    ...(run !== undefined && { run }),
    ...(runNote !== undefined && { note: runNote }),
  });
  const { faulty, skipped, remarks } = summary;
  if (json) screen.print(showJson(summary));
  else {
    noteEach(screen, skipped, ({ name, what }) => `Skipped ${show(name)}: ${show(what)}`);
    noteEach(screen, remarks, ({ name, what }) =>
      name === buckets ? show(what) : `${show(name)}: ${show(what)}`,
    );
    for (const other of summary.otherBuckets.slice(0, shownBuckets)) {
      const nearest = expectOneOf(other, defaultBuckets);
      screen.note(`The bucket "${show(other)}" is none of those by default, ${nearest}`);
      screen.note("  hint: genkan aio --buckets names others, where the database is served");
    }
    screen.print(describe(path, summary));
  }
  noteEach(screen, faulty, ({ name, what, hint }) => {
    const text = screen.paint("red", `Cannot import "${show(name)}": ${show(what)}`, "note");
    return hint === undefined ? text : `${text}\n  hint: ${show(hint)}`;
  });
  if (faulty.length === 0) return "ok";
  return summary.run === undefined ? "nothing" : "faulty";
}

/** How much of one kind is said: ten thousand files may all be the same as one. */
const shownRemarks = 100;

function noteEach(
  screen: Screen,
  remarks: readonly FileRemark[],
  describeOne: (remark: FileRemark) => string,
): void {
  for (const remark of remarks.slice(0, shownRemarks)) screen.note(describeOne(remark));
  const more = remarks.length - shownRemarks;
  if (more > 0) screen.note(`and ${more} more such: --json has all of them`);
}

/** A wrong column gives a bucket for each keyword. */
const shownBuckets = 5;

/** Names and reasons hold what stands in files. */
function show(text: string): string {
  return toPrintable(text, 1_000);
}

function describeNothing({ faulty, skipped }: ImportSummary): string {
  if (faulty.length === 0 || skipped.length > 0) return "there is no page that is new";
  return faulty.length === 1
    ? "the file could not be taken"
    : `none of the ${faulty.length} files could be taken`;
}

function describe(path: string, summary: ImportSummary): string {
  const { run, isNewRun, observations } = summary;
  const { failed, withOverview, withoutOverview, unknown } = summary;
  if (run === undefined) return `Nothing was written: ${describeNothing(summary)}`;
  const pages = `${observations} ${observations === 1 ? "page" : "pages"}${isNewRun ? "" : " more"}`;
  const counts = [
    `${withOverview} with an AI Overview`,
    `${withoutOverview} without`,
    ...(unknown > 0 ? [`${unknown} where that is not known`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return `Run ${run} of ${show(path)}: ${pages}, ${counts.join(", ")}`;
}
