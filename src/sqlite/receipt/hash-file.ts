/** Hashes a file without a trace: no lock, no access time where that can be had, and never a file that waits for a writer. */

import { createHash } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { codeOf } from "../code-of.ts";

export interface Hashed {
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  /** What the file was before and after its bytes were read. */
  readonly before: BigIntStats;
  readonly after: BigIntStats;
}

/**
 * Throws an error of the system for a file that cannot be read, and one with the code `ENOTREG` for what is no file.
 *
 * Of a process that holds an SQLite connection to the file this would drop the locks: they belong to the process, and go when it
 * closes any descriptor of the file.
 *
 * @see https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export async function hashFile(path: Buffer, maxBytes: number): Promise<Hashed> {
  await using file = await openQuietly(path);
  const before = await file.stat({ bigint: true });
  if (!before.isFile()) throw Object.assign(new Error("it is no file"), { code: "ENOTREG" });
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let at = 0; at <= maxBytes;) {
    const { bytesRead } = await file.read(piece, 0, pieceBytes, at);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return { sha256: hash.digest("hex"), before, after: await file.stat({ bigint: true }) };
}

const pieceBytes = 1024 ** 2;

/**
 * O_NOATIME is for the owner and for root; a link in the place of the file is not followed, a FIFO not waited for. A flag that a
 * system does not have is none.
 */
async function openQuietly(path: Buffer): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOATIME } = constants;
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  try {
    return await open(path, flags | O_NOATIME);
  } catch (error) {
    if (codeOf(error) !== "EPERM") throw error;
    return open(path, flags);
  }
}
