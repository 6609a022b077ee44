/** Looks at databases time and again, and listens in between. */

import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { takeCensus } from "./census.ts";
import type { Folder, Look } from "./look.ts";
import { findPlaces, resolvePlaces, takeFirstLook, takeLook, type Place } from "./take-look.ts";
import { watchFolder, type FolderWatch } from "./watch-folder.ts";
import type { Passing, Sighting, WitnessRequest } from "./witness-talk.ts";
import { joinWritten, writeName } from "./write-name.ts";

/** Whoever looks and remembers the first look; in a process of its own, or here, where nobody has these databases open. */
export interface Witness extends Disposable {
  /**
   * Takes the first look, and each time after that another, which tells also what came and went since the first.
   *
   * Throws a `LookRefusal` for what cannot be looked at.
   */
  look(request: WitnessRequest): Promise<Sighting>;
}

export function createWitness(platform: string): Witness {
  let first: { readonly look: Look; readonly places: readonly Place[] } | undefined;
  /** By the folder's path as it is written. */
  const watches = new Map<string, FolderWatch | undefined>();
  return {
    look: async ({ databases, elsewhere, limits, isLenient }) => {
      const places = await resolvePlaces(databases);
      if (first === undefined && !isLenient) {
        // Listening begins before looking, so that nothing falls between.
        for (const [path, folder] of listFolders(places))
          watches.set(path, watchFolder(folder, platform, limits.folderEntries));
        const [look, at] = await takeFirstLook(databases, limits);
        first = { look, places: at };
        return { look, elsewhere: await count(elsewhere, look, limits), cameAndWent: null };
      }
      const at = first?.places ?? (await findPlaces(places));
      const look = await takeLook(places, at, limits);
      const counted = await count(elsewhere, look, limits);
      await sleep(hearingMs);
      const known = [...(first?.look.folders ?? []), ...look.folders];
      return { look, elsewhere: counted, cameAndWent: tellPassing(watches, known, limits.listed) };
    },
    [Symbol.dispose]: () => {
      for (const watch of watches.values()) watch?.[Symbol.dispose]();
    },
  };
}

/** What has happened is heard when the event loop comes round to it. */
const hearingMs = 20;

function listFolders(places: readonly Place[]): ReadonlyMap<string, Buffer> {
  return new Map(
    places.flatMap(({ real }) =>
      typeof real === "string" ? [] : [[writeName(real.folder), real.folder] as const],
    ),
  );
}

/** Leaves out the folders of databases, which the look has, and what cannot be reached. */
async function count(
  elsewhere: readonly string[],
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

function tellPassing(
  watches: ReadonlyMap<string, FolderWatch | undefined>,
  folders: readonly Folder[],
  listed: number,
): Passing | null {
  if (watches.size === 0) return null;
  const paths: string[] = [];
  for (const [path, watch] of watches) {
    if (watch?.isWhole !== true) return null;
    const known = new Set(
      folders
        .filter((folder) => folder.path === path)
        .flatMap(({ entries }) => entries.map(({ name }) => name)),
    );
    for (const name of watch.names.difference(known)) paths.push(joinWritten(path, name));
  }
  return { total: paths.length, paths: paths.toSorted().slice(0, listed) };
}
