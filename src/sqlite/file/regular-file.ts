/** Opens regular files to read, and nothing else: a FIFO would wait for ever, a device has effects, a link leads elsewhere. */

import { closeSync, constants, fstatSync, lstatSync, openSync, type BigIntStats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

/** Lets `read` have the file at this very path; gives `undefined` where there is no regular file, or none that can be read. */
export function withRegularFile<Result>(
  path: string,
  read: (fd: number, stat: BigIntStats) => Result,
): Result | undefined {
  let fd: number | undefined;
  try {
    if (!isRegularFile(path)) return undefined;
    fd = openSync(path, readFlags);
    const stat = fstatSync(fd, { bigint: true });
    return stat.isFile() ? read(fd, stat) : undefined; // it may be another since
  } catch {
    return undefined; // it is gone since, or not for this user: `inspectDatabase` says which
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The same for what takes longer. The caller closes the file. */
export async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  if (!isRegularFile(path)) return undefined;
  let file: FileHandle;
  try {
    file = await open(path, readFlags);
  } catch {
    return undefined; // as above
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

function isRegularFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

// Windows has only the first of them; `|` takes what is not there for 0.
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
