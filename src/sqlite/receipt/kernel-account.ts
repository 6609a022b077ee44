/** What the kernel counts as written by this process and by those that it has waited for. */

import { readFileSync } from "node:fs";

/**
 * Gives the bytes that were meant for any disk; the difference of two readings is what a command has written in between, with all
 * that it has waited for itself. A file system in memory counts nothing.
 *
 * Gives `undefined` where the system keeps no such account: only Linux does.
 *
 * @see https://www.kernel.org/doc/html/latest/filesystems/proc.html#proc-pid-io-display-the-io-accounting-fields
 */
export function readWrittenBytes(): number | undefined {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync("/proc/self/io", "latin1")) ?? [];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined; // another system, or a kernel without the account
  }
}
