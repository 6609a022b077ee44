/** What one look at databases and their folders finds: it is compared with a later one. */

import { isObject } from "../../protocol/index.ts";

export interface Look {
  readonly databases: readonly LookedDatabase[];
  /** The folders of the databases, each once. */
  readonly folders: readonly Folder[];
}

export interface LookedDatabase {
  /** As it was asked for, from the root. */
  readonly path: string;
  /** Where that leads, through all links: a folder of the look and a name in it. Both null where it leads nowhere. */
  readonly folder: string | null;
  readonly name: string | null;
}

/** Paths and names are written as `writeName()` does: whatever a terminal would act upon is an escape. */
export interface Folder {
  readonly path: string;
  /** What the folder is itself; null where there is none any more. */
  readonly state: FolderState | null;
  /** Why its entries are not listed: an error of the system, or `crowded` where there are more than are counted. */
  readonly unlisted: string | null;
  /** By name. */
  readonly entries: readonly Entry[];
}

export interface FolderState {
  readonly inode: string;
  readonly mode: string;
  readonly owner: string;
  /** These move when an entry is made, removed or renamed. */
  readonly mtimeNs: string;
  readonly ctimeNs: string;
}

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
  readonly inode: string;
  /** Four octal digits. */
  readonly mode: string;
  /** The ids of user and group. */
  readonly owner: string;
  /** How many names the file has. Of a folder, this and what follows are what happens inside it, and are not told. */
  readonly links?: number;
  readonly size?: number;
  readonly mtimeNs?: string;
  /** When the bytes or any of these facts changed last; no program can set it. */
  readonly ctimeNs?: string;
  /** Of the database and what begins with its name, as far as that was hashed. */
  readonly sha256?: string;
  /** Why it was not hashed, where it should have been: an error of the system. */
  readonly unreadable?: string;
  /** It changed while it was hashed: a writer is at work. */
  readonly isMoving?: true;
}

export const entryKinds = ["file", "folder", "link", "fifo", "socket", "device"] as const;

export type EntryKind = (typeof entryKinds)[number];

/** Names the facts of an entry that are compared. */
export const entryFacts = [
  "kind",
  "sha256",
  "size",
  "inode",
  "mode",
  "owner",
  "links",
  "mtimeNs",
  "ctimeNs",
  "unreadable",
] as const;

export function isLook(value: unknown): value is Look {
  return (
    isObject(value) &&
    isListOf(value["databases"], isLookedDatabase) &&
    isListOf(value["folders"], isFolder)
  );
}

export function isFolder(value: unknown): value is Folder {
  return (
    isObject(value) &&
    typeof value["path"] === "string" &&
    (value["state"] === null || isFolderState(value["state"])) &&
    (value["unlisted"] === null || typeof value["unlisted"] === "string") &&
    isListOf(value["entries"], isEntry)
  );
}

export function isListOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function isLookedDatabase(value: unknown): value is LookedDatabase {
  return (
    isObject(value) &&
    typeof value["path"] === "string" &&
    [value["folder"], value["name"]].every((each) => each === null || typeof each === "string")
  );
}

function isFolderState(value: unknown): value is FolderState {
  return (
    isObject(value) &&
    ["inode", "mode", "owner", "mtimeNs", "ctimeNs"].every(
      (fact) => typeof value[fact] === "string",
    )
  );
}

function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) &&
    entryKinds.some((kind) => kind === value["kind"]) &&
    ["name", "inode", "mode", "owner"].every((fact) => typeof value[fact] === "string") &&
    ["mtimeNs", "ctimeNs", "sha256", "unreadable"].every(
      (fact) => value[fact] === undefined || typeof value[fact] === "string",
    ) &&
    ["links", "size"].every(
      (fact) => value[fact] === undefined || Number.isSafeInteger(value[fact]),
    )
  );
}
