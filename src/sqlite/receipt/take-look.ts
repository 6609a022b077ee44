/** Looks at databases and their folders: where their paths lead, what lies there, and which bytes it has. */

import { lstatSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { joinPath, kindOf, takeCensus } from "./census.ts";
import { codeOf } from "../code-of.ts";
import type { ReceiptLimits } from "./limits.ts";
import type { Folder, Look } from "./look.ts";
import { LookRefusal } from "./look-refusal.ts";
import { writeName } from "./write-name.ts";

/** Where a database's path leads. */
export interface Place {
  readonly path: string;
  /** Where that is, through all links; of a path that leads nowhere, the error of the system. */
  readonly real: RealPlace | string;
}

interface RealPlace {
  readonly folder: Buffer;
  readonly name: Buffer;
}

export async function resolvePlaces(paths: readonly string[]): Promise<readonly Place[]> {
  return Promise.all(
    paths.map(async (path) => ({ path, real: await realpath(path, "buffer").then(split, codeOf) })),
  );
}

/** Of paths that lead nowhere, takes the place in a folder where a database would be. */
export async function findPlaces(places: readonly Place[]): Promise<readonly Place[]> {
  return Promise.all(
    places.map(async ({ path, real }) => {
      if (typeof real !== "string") return { path, real };
      const name = Buffer.from(basename(path));
      const folder = await realpath(dirname(path), "buffer").catch(codeOf);
      return { path, real: typeof folder === "string" ? folder : { folder, name } };
    }),
  );
}

/**
 * Looks at what is there.
 *
 * @param first Where the paths led at the first look: those folders are counted, also when the paths lead elsewhere by now.
 */
export async function takeLook(
  places: readonly Place[],
  first: readonly Place[],
  limits: ReceiptLimits,
): Promise<Look> {
  const groups = Map.groupBy(
    first.flatMap(({ real }) => (typeof real === "string" ? [] : [real])),
    ({ folder }) => folder.toString("latin1"),
  );
  const folders: Folder[] = [];
  for (const [path, group] of groups) {
    const names = group.map(({ name }) => name);
    const entries = limits.folderEntries;
    folders.push(await takeCensus(Buffer.from(path, "latin1"), names, { ...limits, entries }));
  }
  const databases = places.map(({ path, real }) =>
    typeof real === "string"
      ? { path, folder: null, name: null }
      : { path, folder: writeName(real.folder), name: writeName(real.name) },
  );
  return { databases, folders };
}

/**
 * Takes the first look, which has to see everything, and to see it at rest: what changed within the last tick of the kernel's
 * clock could change once more without its times moving.
 *
 * Throws a `LookRefusal` that names the database.
 */
export async function takeFirstLook(
  paths: readonly string[],
  limits: ReceiptLimits,
): Promise<readonly [Look, readonly Place[]]> {
  const places = await resolvePlaces(paths);
  for (const place of places) checkPlace(place);
  for (let attempt = 1; ; attempt++) {
    const look = await takeLook(places, places, limits);
    for (const { path, folder, name } of look.databases)
      checkFolder(
        path,
        name,
        look.folders.find((each) => each.path === folder),
        limits,
      );
    if (attempt === attempts || isSettled(look)) return [look, places];
    await sleep(settleMs);
  }
}

/** Where a writer is always at work, no look is at rest, and the last one has to do. */
const attempts = 3;
/** Longer than a tick of any kernel's clock. */
const settleMs = 50;

function isSettled({ folders }: Look): boolean {
  const recent = BigInt(Date.now() - settleMs) * 1_000_000n;
  return folders
    .flatMap(({ state, entries }) => [
      state?.ctimeNs,
      ...entries.map(({ sha256, ctimeNs }) => (sha256 === undefined ? undefined : ctimeNs)),
    ])
    .every((ctimeNs) => ctimeNs === undefined || BigInt(ctimeNs) < recent);
}

/** A FIFO is refused before anything opens it. */
function checkPlace({ path, real }: Place): void {
  if (real === "ENOENT" || real === "ENOTDIR") throw new LookRefusal("no-such-file", path);
  if (typeof real === "string") throw new LookRefusal("unreachable", path, real);
  const options = { bigint: true, throwIfNoEntry: false } as const;
  const stats = lstatSync(joinPath(real.folder, real.name), options);
  if (stats === undefined) throw new LookRefusal("no-such-file", path);
  const kind = kindOf(stats);
  if (kind !== "file") throw new LookRefusal(kind, path);
}

function checkFolder(
  path: string,
  name: string | null,
  folder: Folder | undefined,
  { folderEntries, fileBytes }: ReceiptLimits,
): void {
  if (folder?.unlisted === "crowded")
    throw new LookRefusal("crowded-folder", path, String(folderEntries));
  if (typeof folder?.unlisted === "string")
    throw new LookRefusal("unlisted-folder", path, folder.unlisted);
  const own = folder?.entries.find((entry) => entry.name === name);
  if (folder === undefined || own === undefined) throw new LookRefusal("no-such-file", path);
  if (own.unreadable === "EFBIG") throw new LookRefusal("too-big", path, String(fileBytes));
  if (own.unreadable !== undefined) throw new LookRefusal("unreadable", path, own.unreadable);
  for (const sidecar of folder.entries) {
    if (sidecar.unreadable === undefined || !sidecar.name.startsWith(`${name}-`)) continue;
    const isBig = sidecar.unreadable === "EFBIG";
    throw new LookRefusal(isBig ? "too-big-sidecar" : "unreadable-sidecar", path, sidecar.name);
  }
}

function split(path: Buffer): RealPlace {
  const at = path.lastIndexOf(sep);
  return { folder: path.subarray(0, Math.max(at, 1)), name: path.subarray(at + 1) };
}
