/** The file of a receipt: opened before anything is looked at, so that writing it later changes nothing in its folder. */

import { constants, type BigIntStats } from "node:fs";
import { open, rm, stat, type FileHandle } from "node:fs/promises";
import { findReal } from "./find-real.ts";
import { codeOf } from "../code-of.ts";
import { ReceiptError } from "./receipt-error.ts";
import { receiptFormat } from "./receipt.ts";

export interface ReceiptFile extends AsyncDisposable {
  /** From the root, through all links. */
  readonly path: string;
  /** Puts this text in the place of the one before, and on the disk. Throws a `ReceiptError`. */
  write(text: string): Promise<void>;
  /** Removes it again, where it was not there. */
  discard(): Promise<void>;
}

/**
 * Makes the file, or takes one that is empty or holds a receipt; its text stays until the first `write`.
 *
 * Throws a `ReceiptError` for any other file, above all for one of the databases.
 */
export async function openReceiptFile(
  path: string,
  databases: readonly string[],
): Promise<ReceiptFile> {
  const refuse = (what: string, cause?: unknown): ReceiptError =>
    new ReceiptError(
      "receipt-not-writable",
      `Cannot write the receipt ${JSON.stringify(path)}: ${what}`,
      { cause },
    );
  const fail = (error: unknown): never => {
    throw refuse(`${describe(error)}, expected a file that can be written`, error);
  };
  await using opening = new AsyncDisposableStack();
  if (isSidecar(path, databases))
    throw refuse("SQLite would take it for a part of the database, expected another name");
  const made = await open(path, "wx+", fileMode).catch((error: unknown) =>
    codeOf(error) === "EEXIST" ? undefined : fail(error),
  );
  const file = opening.use(made ?? (await openInPlace(path).catch(fail)));
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw refuse("it is no file, expected one, or none yet");
  if (await isOneOf(stats, databases)) throw refuse("it is the database, expected another file");
  if (stats.size > 0n && !(await startsAsReceipt(file)))
    throw refuse("it is another file, expected a receipt, which is replaced, or none yet");
  const opened = opening.move();
  return {
    path: findReal(path),
    write: async (text) => {
      try {
        const bytes = Buffer.from(text);
        // A disk that is nearly full takes a part, and says at the next one that it takes no more.
        for (let done = 0; done < bytes.length;)
          done += (await file.write(bytes, done, bytes.length - done, done)).bytesWritten;
        await file.truncate(bytes.length);
        await file.sync();
      } catch (error) {
        fail(error);
      }
      const now = await stat(path, { bigint: true }).catch(() => undefined);
      if (now?.ino !== stats.ino || now.dev !== stats.dev)
        throw refuse("it was removed or replaced meanwhile, expected it to stay where it was");
    },
    discard: async () => {
      if (made !== undefined) await rm(path, { force: true });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** For its owner alone: the command's words may be nobody else's business. */
const fileMode = 0o600;

function openInPlace(path: string): Promise<FileHandle> {
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants;
  return open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
}

/** `shop.db-wal`, also where it is not there yet, is no name for a receipt about `shop.db`. */
function isSidecar(path: string, databases: readonly string[]): boolean {
  const own = findReal(path);
  return databases.some((database) => own.startsWith(`${findReal(database)}-`));
}

async function isOneOf(stats: BigIntStats, databases: readonly string[]): Promise<boolean> {
  for (const path of databases) {
    const other = await stat(path, { bigint: true }).catch(() => undefined);
    if (other?.ino === stats.ino && other.dev === stats.dev) return true;
  }
  return false;
}

async function startsAsReceipt(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
  return buffer
    .toString("latin1", 0, bytesRead)
    .startsWith(JSON.stringify({ format: receiptFormat }, undefined, 2).slice(0, -2));
}

function describe(error: unknown): string {
  const code = codeOf(error);
  if (code === "ELOOP") return "it is a link";
  if (code === "EISDIR") return "it is a folder";
  if (code === "ENOENT") return "its folder is not there";
  return `the system refuses (${code})`;
}
