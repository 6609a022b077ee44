/** Finds the file that a path leads to, looking before anything is opened. */

import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { codeOf } from "../code-of.ts";
import { findMount, isNetwork } from "./mounts.ts";
import { DatabaseRefusal, type RefusalReason } from "./refusals.ts";

/**
 * Gives the real path, from the root of the file system. Throws a `DatabaseRefusal` unless a regular file is there.
 *
 * @param root The folder that the file has to be in. Default: the one that the path names, so that no link leads out of it.
 */
export function locateDatabase(path: string, root?: string): string {
  const absolute = resolve(path);
  const real = follow(path, absolute);
  const folder = root === undefined ? follow(path, dirname(absolute)) : follow(root, resolve(root));
  if (!isWithin(real, folder)) throw new DatabaseRefusal("link-out-of-root", path, { real });
  const reason = nameKind(look(path, real));
  if (reason !== undefined) throw new DatabaseRefusal(reason, path, { real });
  const mount = findMount(real);
  if (mount !== undefined && isNetwork(mount))
    throw new DatabaseRefusal("network-file-system", path, { real, detail: mount.type });
  refuseSidecars(path, real);
  return real;
}

/** Resolves all links of a path, and says why where that is not possible. */
function follow(path: string, absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch (cause) {
    const isLink = look(path, absolute)?.isSymbolicLink() === true;
    switch (codeOf(cause)) {
      case "ENOENT":
      case "ENOTDIR":
        throw new DatabaseRefusal(isLink ? "dangling-link" : "no-such-file", path, { cause });
      case "ELOOP":
        throw new DatabaseRefusal("link-loop", path, { cause });
      case "EACCES":
      case "EPERM":
        throw new DatabaseRefusal("unreadable", path, { cause });
      default:
        throw new DatabaseRefusal("no-such-file", path, { detail: codeOf(cause), cause });
    }
  }
}

function look(path: string, absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false });
  } catch (cause) {
    if (codeOf(cause) === "ELOOP") throw new DatabaseRefusal("link-loop", path, { cause });
    if (codeOf(cause) === "EACCES") throw new DatabaseRefusal("unreadable", path, { cause });
    return undefined; // no file can have such a path: it is too long, or has a NUL in it
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function nameKind(stat: Stats | undefined): RefusalReason | undefined {
  if (stat === undefined) return "no-such-file";
  if (stat.isDirectory()) return "directory";
  if (stat.isFIFO()) return "fifo";
  if (stat.isSocket()) return "socket";
  if (!stat.isFile()) return "device";
  return stat.nlink > 1 ? "hard-link" : undefined;
}

/** What plain SQLite does not make: Turso's shared index, other programs' locks, the second log of a branch. */
const foreign = ["-tshm", "-lock", "-wal2"];
const own = ["-wal", "-journal"];

function refuseSidecars(path: string, real: string): void {
  const strange = [
    ...foreign.filter((suffix) => look(path, `${real}${suffix}`) !== undefined),
    ...own.filter((suffix) => look(path, `${real}${suffix}`)?.isFile() === false),
  ];
  if (strange.length === 0) return;
  throw new DatabaseRefusal("unknown-sidecar", path, { real, detail: strange.join(", ") });
}
