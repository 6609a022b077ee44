/** Counts the entries of a folder, and hashes those that belong to a database. */

import { lstatSync, type BigIntStats } from "node:fs";
import { opendir } from "node:fs/promises";
import { codeOf } from "../code-of.ts";
import { hashFile } from "./hash-file.ts";
import type { ReceiptLimits } from "./limits.ts";
import type { Entry, EntryKind, Folder } from "./look.ts";
import { writeName } from "./write-name.ts";

export type CensusLimits = Pick<ReceiptLimits, "fileBytes" | "namesakeBytes"> & {
  readonly entries: number;
};

/**
 * Does not go down into folders. A folder that is gone is told as one without a state.
 *
 * @param databases Their names in this folder: they are hashed, and what begins with such a name.
 */
export async function takeCensus(
  folder: Buffer,
  databases: readonly Buffer[],
  limits: CensusLimits,
): Promise<Folder> {
  const path = writeName(folder);
  const stats = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return { path, state: null, unlisted: null, entries: [] };
  const state = { ...tellIdentity(stats), ...tellTimes(stats) };
  const found = await listEntries(folder, limits.entries).catch(codeOf);
  if (typeof found === "string") return { path, state, unlisted: found, entries: [] };
  const hashes = await hashNamesakes(folder, found, databases, limits);
  const entries = found
    .map(({ name, stats: own }) => hashes.get(name) ?? tellEntry(name, own))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { path, state, unlisted: null, entries };
}

interface Found {
  readonly name: Buffer;
  readonly stats: BigIntStats;
}

async function listEntries(folder: Buffer, most: number): Promise<readonly Found[] | "crowded"> {
  const found: Found[] = [];
  let count = 0;
  // In Latin-1 every name is read byte by byte, whatever its encoding is.
  for await (const { name } of await opendir(folder, { encoding: "latin1", bufferSize: 256 })) {
    count++;
    if (count > most) return "crowded";
    const bytes = Buffer.from(name, "latin1");
    const stats = lstatSync(joinPath(folder, bytes), { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined) found.push({ name: bytes, stats });
  }
  return found;
}

/** Hashes the databases and their sidecars whatever that takes, and other namesakes while `namesakeBytes` last. */
async function hashNamesakes(
  folder: Buffer,
  found: readonly Found[],
  databases: readonly Buffer[],
  { fileBytes, namesakeBytes }: CensusLimits,
): Promise<ReadonlyMap<Buffer, Entry>> {
  const hashes = new Map<Buffer, Entry>();
  let left = BigInt(namesakeBytes);
  const inOrder = found.toSorted((a, b) => Buffer.compare(a.name, b.name));
  for (const { name, stats } of inOrder) {
    if (!stats.isFile()) continue;
    const rests = databases
      .filter((database) => name.indexOf(database) === 0)
      .map((database) => name.subarray(database.length));
    if (rests.length === 0) continue;
    const isOwn = rests.some((rest) => rest.length === 0 || rest[0] === hyphen);
    if (!isOwn && stats.size > left) continue;
    if (!isOwn) left -= stats.size;
    hashes.set(name, await tellHashed(folder, name, stats, fileBytes));
  }
  return hashes;
}

const hyphen = 0x2d;
const attempts = 3;

async function tellHashed(
  folder: Buffer,
  name: Buffer,
  listed: BigIntStats,
  maxBytes: number,
): Promise<Entry> {
  if (listed.size > BigInt(maxBytes)) return { ...tellEntry(name, listed), unreadable: "EFBIG" };
  let last = listed;
  try {
    for (let attempt = 1; ; attempt++) {
      const { sha256, before, after } = await hashFile(joinPath(folder, name), maxBytes);
      const isStill = isSame(last, before) && isSame(before, after);
      last = after;
      if (isStill) return { ...tellEntry(name, after), sha256 };
      if (attempt === attempts) return { ...tellEntry(name, after), sha256, isMoving: true };
    }
  } catch (error) {
    return { ...tellEntry(name, last), unreadable: codeOf(error) };
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.ctimeNs === b.ctimeNs;
}

function tellEntry(name: Buffer, stats: BigIntStats): Entry {
  const kind = kindOf(stats);
  const entry = { name: writeName(name), kind, ...tellIdentity(stats) };
  if (kind === "folder") return entry;
  return { ...entry, links: Number(stats.nlink), size: Number(stats.size), ...tellTimes(stats) };
}

function tellIdentity({ ino, mode, uid, gid }: BigIntStats) {
  return {
    inode: String(ino),
    mode: (mode & 0o7777n).toString(8).padStart(4, "0"),
    owner: `${uid}:${gid}`,
  };
}

function tellTimes({ mtimeNs, ctimeNs }: BigIntStats) {
  return { mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs) };
}

export function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}

export function joinPath(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
