/** Opens regular files to read, and nothing else: a FIFO would wait for ever, a device has effects, a link leads elsewhere. */

import { closeSync, constants, fstatSync, lstatSync, openSync, type BigIntStats } from "node:fs";

/** An open file; it is closed when it is disposed of. */
export interface RegularFile extends Disposable {
  readonly fd: number;
  /** What it was like when it was opened. */
  readonly stat: BigIntStats;
}

/** Opens the file at this very path; gives `undefined` where there is no regular file, or none that may be read. */
export function openRegularFile(path: string): RegularFile | undefined {
  let fd: number | undefined;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const opened = openSync(path, readFlags);
    fd = opened;
    const stat = fstatSync(opened, { bigint: true });
    if (!stat.isFile()) return undefined; // there is another since
    fd = undefined; // it is the caller's from here on
    return {
      fd: opened,
      stat,
      [Symbol.dispose]: () => {
        closeSync(opened);
      },
    };
  } catch {
    return undefined; // it is gone since, or not for this user: `inspectDatabase` says which
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Gives what stands at this very path. A name that is longer than any file's may be is no file's. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENAMETOOLONG")
      return undefined;
    throw thrown;
  }
}

// Windows has only the first of them; `|` takes what is not there for 0.
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
