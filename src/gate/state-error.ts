/** The state cannot be read or written: which way, and what a person can do about it. */

/** Every way in which the state fails, and what helps. */
export const stateFailures = {
  none: "name a state folder: what has to be recorded does not run without one",
  locked: "another process holds the state; end it, or wait and try again",
  full: "free space on the disk, or raise maxStateBytes",
  "read-only": "give this process write permission on the state folder",
  corrupt:
    "move the state folder aside and restore a copy of it; without one, begin with an empty folder",
  foreign: "name another state folder: this file belongs to another program",
  newer: "use the version of Genkan that wrote this state, or a newer one",
  unreachable: "check that the state folder exists and that this process may use it",
  closed: "open the gate again: this one was disposed of",
} as const;

export type StateFailure = keyof typeof stateFailures;

/** Thrown by every use of the state; `kind` says which way it failed. For the person who runs the server, not for a peer. */
export class StateError extends Error {
  override readonly name = "StateError";
  readonly kind: StateFailure;
  readonly hint: string;

  constructor(kind: StateFailure, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
    this.hint = stateFailures[kind];
  }
}

/** Reads what `node:sqlite` or the file system threw; gives `undefined` for what is no failure of the state. */
export function toStateError(thrown: unknown, act: string, place: string): StateError | undefined {
  if (thrown instanceof StateError) return thrown;
  if (!(thrown instanceof Error)) return undefined;
  const found = findFailure(thrown);
  if (found === undefined) return undefined;
  const [kind, what] = found;
  return new StateError(kind, `Cannot ${act} "${place}": ${what}`, { cause: thrown });
}

function findFailure(error: Error): readonly [StateFailure, string] | undefined {
  if ("errcode" in error && typeof error.errcode === "number")
    return bySqliteCode.get(error.errcode & 0xff); // the low byte is the primary code
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === "ERR_INVALID_STATE") return ["closed", "it is closed"];
  return bySystemCode.get(error.code);
}

/** https://sqlite.org/rescode.html */
const bySqliteCode = new Map<number, readonly [StateFailure, string]>([
  [3, ["read-only", "permission is denied"]],
  [5, ["locked", "it is locked by another process"]],
  [6, ["locked", "it is locked by another connection"]],
  [8, ["read-only", "it cannot be written"]],
  [10, ["unreachable", "the disk failed"]],
  [11, ["corrupt", "it is damaged"]],
  [13, ["full", "the disk, or the size it may have, is full"]],
  [14, ["unreachable", "it cannot be opened"]],
  [26, ["corrupt", "it is no SQLite file"]],
]);

const bySystemCode = new Map<string, readonly [StateFailure, string]>([
  ["EACCES", ["read-only", "permission is denied"]],
  ["EPERM", ["read-only", "permission is denied"]],
  ["EROFS", ["read-only", "the file system is read-only"]],
  ["ENOSPC", ["full", "the disk is full"]],
  ["EDQUOT", ["full", "the quota of the disk is used up"]],
  ["ENOTDIR", ["unreachable", "a part of its path is no folder"]],
  ["EEXIST", ["unreachable", "a file of this name is in the way"]],
  ["ENOENT", ["unreachable", "a part of its path does not exist"]],
  ["ELOOP", ["unreachable", "its path is a loop of links"]],
]);
