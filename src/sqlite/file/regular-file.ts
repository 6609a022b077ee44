/** Opens regular files to read, and nothing else: a FIFO would wait for ever, a device has effects, a link leads elsewhere. */

import { closeSync, constants, fstatSync, lstatSync, openSync, type BigIntStats } from "node:fs";

/** Lets `read` have the file at this very path; gives `undefined` where there is no regular file, or none that may be read. */
export function withRegularFile<Result>(
  path: string,
  read: (fd: number, stat: BigIntStats) => Result,
): Result | undefined {
  const fd = openRegularFile(path);
  if (fd === undefined) return undefined;
  try {
    return read(fd, fstatSync(fd, { bigint: true }));
  } finally {
    closeSync(fd);
  }
}

/** Gives an open descriptor, which the caller closes. */
export function openRegularFile(path: string): number | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const fd = openSync(path, flags);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd); // it was changed for another since
    return undefined;
  } catch {
    return undefined; // it is gone since, or not for this user; who needs the reason asks `inspectDatabase`
  }
}

// Windows has only the first of them; `|` takes what is not there for 0.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
