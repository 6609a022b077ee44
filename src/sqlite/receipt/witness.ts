/**
 * The program that looks: a process of its own, for one that holds an SQLite connection to a file would lose its locks by reading
 * the file. It opens no SQLite, changes nothing, and ends when nobody asks any more.
 *
 * The first request is answered by the first look, each further one by another, with what came and went since the first.
 */

import { realpath } from "node:fs/promises";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { takeCensus } from "./census.ts";
import type { Folder, Look } from "./look.ts";
import { LookRefusal } from "./look-refusal.ts";
import { resolvePlaces, takeFirstLook, takeLook, type Place } from "./take-look.ts";
import { watchFolder, type FolderWatch } from "./watch-folder.ts";
import {
  isWitnessRequest,
  type Passing,
  type Sighting,
  type WitnessReply,
  type WitnessRequest,
} from "./witness-talk.ts";
import { joinWritten, writeName } from "./write-name.ts";

let first: { readonly look: Look; readonly places: readonly Place[] } | undefined;
/** By the folder's path as it is written. */
const watches = new Map<string, FolderWatch | undefined>();

process.on("message", (request: unknown) => {
  if (!isWitnessRequest(request)) throw new Error("The witness of a receipt was asked nonsense");
  void reply(request).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());

async function reply(request: WitnessRequest): Promise<WitnessReply> {
  try {
    return { sighting: await look(request) };
  } catch (error) {
    if (!(error instanceof LookRefusal)) throw error;
    const { reason, path, found } = error;
    return { refusal: { reason, path, found } };
  }
}

async function look({
  databases,
  elsewhere,
  limits,
  isLenient,
}: WitnessRequest): Promise<Sighting> {
  const places = await resolvePlaces(databases);
  if (first === undefined && !isLenient) {
    listen(places, limits.folderEntries); // before looking, so that nothing falls between
    const [taken, at] = await takeFirstLook(databases, limits);
    first = { look: taken, places: at };
    return { look: taken, elsewhere: await count(elsewhere, taken, limits), cameAndWent: null };
  }
  const taken = await takeLook(places, first?.places ?? places, limits);
  const counted = await count(elsewhere, taken, limits);
  await sleep(hearingMs);
  return { look: taken, elsewhere: counted, cameAndWent: tellPassing(taken, limits.listed) };
}

/** What has happened is heard when the event loop comes round to it. */
const hearingMs = 20;

function listen(places: readonly Place[], maxNames: number): void {
  for (const { real } of places) {
    if (typeof real === "string") continue;
    const path = writeName(real.folder);
    if (watches.has(path)) continue;
    watches.set(path, watchFolder(real.folder, process.platform, maxNames));
  }
}

/** Leaves out the folders of databases, which the look has, and what cannot be reached. */
async function count(
  elsewhere: WitnessRequest["elsewhere"],
  { folders }: Look,
  limits: WitnessRequest["limits"],
): Promise<readonly Folder[]> {
  const counted: Folder[] = [];
  for (const path of elsewhere) {
    const folder = await realpath(path, "buffer").catch(() => undefined);
    if (folder === undefined) continue;
    const written = writeName(folder);
    if ([...folders, ...counted].some((each) => each.path === written)) continue;
    counted.push(await takeCensus(folder, [], { ...limits, entries: limits.elsewhereEntries }));
  }
  return counted;
}

function tellPassing({ folders }: Look, listed: number): Passing | null {
  const paths: string[] = [];
  if (watches.size === 0) return null;
  for (const [path, watch] of watches) {
    if (watch?.isWhole !== true) return null;
    const known = new Set(
      [...(first?.look.folders ?? []), ...folders]
        .filter((folder) => folder.path === path)
        .flatMap(({ entries }) => entries.map(({ name }) => name)),
    );
    for (const name of watch.names.difference(known)) paths.push(joinWritten(path, name));
  }
  return { total: paths.length, paths: paths.toSorted().slice(0, listed) };
}
