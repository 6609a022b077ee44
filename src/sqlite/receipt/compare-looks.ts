/** Says what is different between two looks at the same databases. */

import { isObject } from "../../protocol/index.ts";
import { entryFacts, type Entry, type Folder, type Look } from "./look.ts";
import type { Passing } from "./witness-talk.ts";
import { joinWritten } from "./write-name.ts";

export interface Difference {
  /** From the root, as `writeName()` writes it. */
  readonly path: string;
  readonly what: (typeof differenceSubjects)[number];
  readonly change: (typeof changes)[number];
  /** Each fact that is different: before and after; null where there was none. */
  readonly facts: Readonly<Record<string, readonly [Fact, Fact]>>;
}

export type Fact = string | number | null;

export const differenceSubjects = ["database", "sidecar", "other", "folder"] as const;

export const changes = [
  "created",
  "removed",
  "changed",
  /** It was there between the looks, and is in neither. */
  "came and went",
  /** It changed while it was looked at. */
  "is changing",
  /** The path leads to another file, or to none. */
  "leads elsewhere",
  "leads nowhere",
  /** Its entries can no longer be compared. */
  "unlisted",
] as const;

/** @param except Paths that may change, as they are written. */
export function compareLooks(
  before: Look,
  after: Look,
  cameAndWent: Passing | null,
  except: readonly string[] = [],
): readonly Difference[] {
  const passing = cameAndWent?.paths.filter((path) => !except.includes(path)) ?? [];
  return [
    ...before.databases.flatMap((database, index) => {
      const now = after.databases[index];
      const facts = compareFacts(["folder", "name"], database, now ?? {});
      if (Object.keys(facts).length === 0) return [];
      const path = joinWritten(database.folder ?? "", database.name ?? "");
      const change = (now?.folder ?? null) === null ? "leads nowhere" : "leads elsewhere";
      return [{ path, what: "database", change, facts } as const];
    }),
    ...before.folders.flatMap((folder) => {
      const names = before.databases.flatMap((each) =>
        each.folder === folder.path && each.name !== null ? [each.name] : [],
      );
      const now = after.folders.find(({ path }) => path === folder.path);
      if (now !== undefined) return compareFolders(folder, now, names, except);
      // It was not looked at, for the path of its database leads elsewhere; that has been told.
      const isLeft = before.databases.some(
        (each, index) =>
          each.folder === folder.path && after.databases[index]?.folder !== folder.path,
      );
      return isLeft ? [] : compareFolders(folder, absent(folder), names, except);
    }),
    ...passing.map((path) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const names = before.databases.flatMap((each) => each.name ?? []);
      return { path, what: tellSubject(name, names), change: "came and went", facts: {} } as const;
    }),
  ];
}

function absent({ path }: Folder): Folder {
  return { path, state: null, unlisted: null, entries: [] };
}

/** Gives what is different in a folder; also for one without databases. */
export function compareFolders(
  before: Folder,
  after: Folder,
  databases: readonly string[],
  except: readonly string[],
): readonly Difference[] {
  const { path } = before;
  if (after.state === null) return [{ path, what: "folder", change: "removed", facts: {} }];
  if (before.unlisted !== null || after.unlisted !== null) {
    const facts = {
      ...compareFacts(["unlisted"], before, after),
      ...compareFacts(lasting, before.state ?? {}, after.state),
    };
    return [{ path, what: "folder", change: "unlisted", facts }];
  }
  const [old, now] = [byName(before), byName(after)];
  const differences: Difference[] = [];
  let isExcused = false;
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    const full = joinWritten(path, name);
    if (except.includes(full)) isExcused ||= was?.inode !== is?.inode;
    else differences.push(...compareEntries(full, tellSubject(name, databases), was, is));
  }
  const own = compareFacts(isExcused ? lasting : folderFacts, before.state ?? {}, after.state);
  if (Object.keys(own).length > 0)
    differences.push({ path, what: "folder", change: "changed", facts: own });
  return differences;
}

const lasting = ["inode", "mode", "owner"];
/** Its times move with each entry that is made, removed or renamed, also with one that may be. */
const folderFacts = [...lasting, "mtimeNs", "ctimeNs"];

function byName({ entries }: Folder): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function compareEntries(
  path: string,
  what: Difference["what"],
  before: Entry | undefined,
  after: Entry | undefined,
): readonly Difference[] {
  const facts = compareFacts(entryFacts, before ?? {}, after ?? {});
  if (before === undefined) return [{ path, what, change: "created", facts }];
  if (after === undefined) return [{ path, what, change: "removed", facts }];
  // What was hashed at one look alone, because it has grown or shrunk, is told by its other facts.
  const { sha256, ...others } = facts;
  const isHalf = sha256?.includes(null) === true && after.unreadable === undefined;
  const told = isHalf ? others : facts;
  if (Object.keys(told).length > 0) return [{ path, what, change: "changed", facts: told }];
  const isMoving = before.isMoving === true || after.isMoving === true;
  return isMoving ? [{ path, what, change: "is changing", facts }] : [];
}

function compareFacts(
  names: readonly string[],
  before: object,
  after: object,
): Difference["facts"] {
  const [was, is] = [toFacts(before), toFacts(after)];
  return Object.fromEntries(
    names.flatMap((name) => {
      const pair = [was(name), is(name)] as const;
      return pair[0] === pair[1] ? [] : [[name, pair]];
    }),
  );
}

function toFacts(value: object): (name: string) => Fact {
  return (name) => {
    const fact = isObject(value) ? value[name] : undefined;
    return typeof fact === "string" || typeof fact === "number" ? fact : null;
  };
}

function tellSubject(name: string, databases: readonly string[]): Difference["what"] {
  if (databases.includes(name)) return "database";
  return databases.some((database) => name.startsWith(database)) ? "sidecar" : "other";
}
