/** Lets strace watch a command and all that it starts, and reads which files they have touched, and how. */

import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { writeName } from "./write-name.ts";

export interface Trace {
  readonly total: number;
  /** The first of them, by path. */
  readonly files: readonly TracedFile[];
  /** Whether all that was written could be read; not where it was too much. */
  readonly isWhole: boolean;
}

export interface TracedFile {
  /** As `writeName()` writes it; relative only where it is not known to what. */
  readonly path: string;
  readonly acts: readonly string[];
}

export interface Tracing extends Disposable {
  /** What stands before the words of the command. */
  readonly prefix: readonly string[];
  /** Reads what was written until now. */
  read(limits: { readonly listed: number; readonly traceBytes: number }): Trace;
}

/** The calls that change a file or a folder, and what each does to the path it names last; a rename, also to the first. */
const callActs: Readonly<Record<string, string>> = {
  ...group("opened to write", "open openat openat2 creat"),
  ...group("made", "mkdir mkdirat mknod mknodat link linkat symlink symlinkat"),
  ...group("removed", "unlink unlinkat rmdir"),
  ...group("renamed", "rename renameat renameat2"),
  ...group("cut", "truncate ftruncate"),
  ...group("mode changed", "chmod fchmod fchmodat fchmodat2"),
  ...group("owner changed", "chown fchown fchownat lchown"),
  ...group("times set", "utime utimes utimensat futimesat"),
};

function group(act: string, calls: string): Readonly<Record<string, string>> {
  return Object.fromEntries(calls.split(" ").map((call) => [call, act]));
}

/** Makes a private folder for what strace writes, which goes when it is disposed of. */
export function startTracing(temporary: string): Tracing {
  const folder = mkdtempSync(join(temporary, "genkan-trace-"));
  return {
    // -DDD: the command stays our own child, and gets our signals. A leading ? lets pass what this machine has no call for.
    prefix: [
      ..."strace -DDD -ff -qq --seccomp-bpf -y -s 4096 --signal=none --trace".split(" "),
      Object.keys(callActs)
        .map((call) => `?${call}`)
        .join(),
      "-o",
      join(folder, "t"),
      "--",
    ],
    read: ({ listed, traceBytes }) => {
      const acts = new Map<string, Set<string>>();
      let left = traceBytes;
      let isWhole = true;
      for (const name of readdirSync(folder).toSorted()) {
        const file = join(folder, name);
        left -= statSync(file).size;
        if (left < 0) isWhole = false;
        else gatherActs(readFileSync(file, "latin1"), acts);
      }
      const files = Array.from(acts, ([path, own]) => ({ path, acts: [...own].toSorted() }))
        .toSorted((a, b) => (a.path < b.path ? -1 : 1))
        .slice(0, listed);
      return { total: acts.size, files, isWhole };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Reads what strace has written of one process: `openat(AT_FDCWD</srv>, "a.db", O_RDWR) = 3</srv/a.db>`. */
export function gatherActs(text: string, acts: Map<string, Set<string>>): void {
  let working: Buffer | undefined;
  const note = (path: Buffer | undefined, act: string): void => {
    const written = path === undefined ? "" : writeName(path);
    if (written === "" || /^\/dev\/(?:null|tty|pts\/.*|ptmx)$/.test(written)) return;
    const own = acts.get(written);
    if (own === undefined) acts.set(written, new Set([act]));
    else own.add(act);
  };
  for (const line of text.split("\n")) {
    const [, call = "", given = "", result = ""] = /^(\w+)\((.*)\)\s+= (\d.*)$/.exec(line) ?? [];
    const act = callActs[call];
    if (act === undefined) continue;
    const paths: Buffer[] = [];
    let base: Buffer | undefined;
    for (const [, isCwd, folder, name] of given.matchAll(operands)) {
      if (folder !== undefined) base = unescape(folder);
      if (isCwd !== undefined) working = base;
      if (name === undefined) continue;
      paths.push(resolveFrom(base ?? working, unescape(name)));
      base = undefined;
    }
    const last = paths.at(-1) ?? base;
    if (act !== "opened to write") note(last, act);
    else if (call === "creat" || /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/.test(given)) {
      const opened = /<([^<>]*)/.exec(result)?.[1];
      note(opened === undefined ? last : unescape(opened), act);
    }
    if (act === "renamed") note(paths[0], act);
  }
}

/** A folder or a file that is open, `AT_FDCWD</srv>` or `3</srv>`, or a text, `"a.db"`. */
const operands = /\b(AT_FDCWD)?(?:\d+)?<([^<>]*)|"((?:[^"\\]|\\.)*)"/g;

function resolveFrom(base: Buffer | undefined, name: Buffer): Buffer {
  if (base === undefined || name[0] === 0x2f) return name;
  return Buffer.from(posix.join(base.toString("latin1"), name.toString("latin1")), "latin1");
}

const letters: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  f: "\f",
  v: "\v",
};

/** Gives the bytes of a text that is escaped as in C. */
function unescape(text: string): Buffer {
  const bytes = text.replaceAll(/\\(?:([0-7]{1,3})|(.))/g, (_, octal?: string, letter?: string) =>
    octal === undefined
      ? (letters[letter ?? ""] ?? letter ?? "")
      : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, "latin1");
}
