/** Every reason why a file is not opened as a database: its name and what is said of it. */

import { dirname } from "node:path";
import { UsageError } from "../../protocol/index.ts";

/** A file that is not opened; the reason has a name, so that a program can tell it from another. */
export class DatabaseRefusal extends UsageError {
  readonly reason: RefusalReason;
  /** What was to be opened. */
  readonly path: string;
  /** What the file is, without its name. */
  readonly what: string;
  readonly detail: string | undefined;
  readonly real: string;

  constructor(reason: RefusalReason, path: string, options: RefusalOptions = {}) {
    const { what, expected, hint } = refusals[reason];
    const { detail, real = path, cause } = options;
    const is = detail === undefined ? what : `${what} (${detail})`;
    super("cannot-open-database", `Cannot open ${quote(path)}: ${is}, expected ${expected}`, {
      ...(hint !== undefined && { hint: hint(real) }),
      ...(cause !== undefined && { cause }),
    });
    this.reason = reason;
    this.path = path;
    this.what = is;
    this.detail = detail;
    this.real = real;
  }
}

export interface RefusalOptions {
  /** What tells this file from others refused for the same reason. */
  readonly detail?: string;
  /** The file that the path leads to, where it is another. */
  readonly real?: string;
  readonly cause?: unknown;
}

interface Refusal {
  readonly what: string;
  readonly expected: string;
  /** What to type. */
  readonly hint?: (path: string) => string;
}

export type RefusalReason = keyof typeof reasons;

const database = "a SQLite database";
const list = (path: string): string => `ls -l ${shellWord(path)}`;

/** A shell makes a folder of `~`, and nobody else does. */
const hasTilde = (path: string): boolean => /[\\/]~[\\/]/.test(path);
const noTilde = "~ is not expanded here: write the folder that it stands for, such as /home/me";

const reasons = {
  "no-such-file": {
    what: "there is no such file",
    expected: database,
    hint: (path) => (hasTilde(path) ? noTilde : list(dirname(path))),
  },
  "dangling-link": { what: "it is a link to nothing", expected: database, hint: list },
  "link-loop": { what: "its links lead in a circle", expected: database, hint: list },
  "link-out-of-root": {
    what: "it leads out of the folder that it has to be in",
    expected: "a file in it",
    hint: (path) => path,
  },
  "hard-link": {
    what: "it has a second name, and its log or journal may lie beside that one",
    expected: "a file with one name",
    hint: (path) => `find / -xdev -samefile ${shellWord(path)}`,
  },
  directory: { what: "it is a directory", expected: database, hint: list },
  fifo: { what: "it is a FIFO", expected: database, hint: list },
  socket: { what: "it is a socket", expected: database, hint: list },
  device: { what: "it is a device", expected: database, hint: list },
  unreadable: { what: "it cannot be read", expected: "a file that this user may read", hint: list },
  "network-file-system": {
    what: "it is on a network file system, where nobody can tell whether a file has changed",
    expected: "a file on a disk of this machine",
    hint: (path) => `sqlite3 ${shellWord(path)} ".backup /tmp/copy.db"`,
  },
  empty: { what: "it is empty", expected: database, hint: list },
  "not-a-database": {
    what: "it is no SQLite database, or an encrypted one",
    expected: "a plain SQLite database",
    hint: (path) => `head -c 16 ${shellWord(path)} | od -c`,
  },
  "unsupported-format": {
    what: "it is of a format that this SQLite does not read",
    expected: "SQLite's own format of today",
    hint: (path) => `head -c 100 ${shellWord(path)} | od -A d -t u1`,
  },
  incomplete: {
    what: "its end is missing",
    expected: "as many pages as its header says",
    hint: (path) => `sqlite3 ${shellWord(path)} "PRAGMA integrity_check"`,
  },
  "too-big": {
    what: "it is too big",
    expected: "a file and log within the limit databaseBytes",
    hint: list,
  },
  "needs-recovery": {
    what: "a change to it was begun and not finished, as its journal says",
    expected: "a database whose program has put it in order",
    hint: (path) => `sqlite3 ${shellWord(path)} "SELECT count(*) FROM sqlite_schema"`,
  },
  "unknown-sidecar": {
    what: "beside it is a file that plain SQLite does not make",
    expected: "none but its -wal, -shm and -journal",
    hint: (path) => `ls -l ${shellWord(path)}-*`,
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export const refusals: Readonly<Record<RefusalReason, Refusal>> = reasons;

function quote(path: string): string {
  return JSON.stringify(path);
}

/** Writes a path so that a shell takes it as one word. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
