/** Tells again and again whether a database still is in one state, for a fraction of what a fingerprint costs. */

import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from "node:fs";
import type { Fingerprint, LogFingerprint } from "./fingerprint.ts";
import { lookAt, readFlags } from "./regular-file.ts";

/** Holds the file open, so it is for a process that has no locks of SQLite's on it. */
export class StateWatch implements Disposable {
  readonly #isCommitted: boolean;
  readonly #database: FileWatch;
  readonly #log: FileWatch | undefined;
  readonly #logPath: string;

  /** @param path the real one, from which the fingerprint was taken */
  constructor(path: string, fingerprint: Fingerprint) {
    const { wal, isJournalHot } = fingerprint;
    this.#isCommitted = !isJournalHot;
    this.#database = new FileWatch(path, fingerprint);
    this.#logPath = `${path}-wal`;
    this.#log = wal === undefined ? undefined : new FileWatch(this.#logPath, wal);
  }

  /** What `isSameState` would say of a fingerprint that is taken now. */
  isUnchanged(): boolean {
    if (!this.#isCommitted || !this.#database.isUnchanged()) return false;
    return this.#log === undefined ? hasNothing(this.#logPath) : this.#log.isUnchanged();
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
    this.#log?.[Symbol.dispose]();
  }
}

function hasNothing(path: string): boolean {
  const stat = tryLookAt(path);
  return stat === undefined || stat.size === 0n;
}

type Expected = LogFingerprint & Partial<Pick<Fingerprint, "dev" | "ctimeNs">>;

class FileWatch implements Disposable {
  readonly #path: string;
  readonly #stat: Partial<Record<"dev" | "ino" | "size" | "mtimeNs" | "ctimeNs", bigint>>;
  readonly #header: Buffer;
  readonly #bytes: Buffer;
  #fd: number | undefined;

  constructor(path: string, { dev, ino, size, mtimeNs, ctimeNs, header }: Expected) {
    this.#path = path;
    this.#stat = {
      ino: BigInt(ino),
      size: BigInt(size),
      mtimeNs: BigInt(mtimeNs),
      ...(dev !== undefined && { dev: BigInt(dev) }),
      ...(ctimeNs !== undefined && { ctimeNs: BigInt(ctimeNs) }),
    };
    this.#header = Buffer.from(header, "hex");
    this.#bytes = Buffer.alloc(this.#header.length);
  }

  /** What stands at the path is looked at each time; its first bytes are read from where they were found the first time. */
  isUnchanged(): boolean {
    const stat = tryLookAt(this.#path);
    if (stat === undefined || !this.#isExpected(stat)) return false;
    this.#fd ??= this.#open();
    if (this.#fd === undefined) return false;
    const count = readSync(this.#fd, this.#bytes, 0, this.#bytes.length, 0);
    return count === this.#header.length && this.#bytes.equals(this.#header);
  }

  #isExpected({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): boolean {
    const expected = this.#stat;
    return (
      ino === expected.ino &&
      size === expected.size &&
      mtimeNs === expected.mtimeNs &&
      (expected.dev === undefined || dev === expected.dev) &&
      (expected.ctimeNs === undefined || ctimeNs === expected.ctimeNs)
    );
  }

  #open(): number | undefined {
    let fd: number;
    try {
      fd = openSync(this.#path, readFlags);
    } catch {
      return undefined; // it is gone since it was looked at
    }
    if (this.#isExpected(fstatSync(fd, { bigint: true }))) return fd;
    closeSync(fd); // it is another since
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function tryLookAt(path: string): BigIntStats | undefined {
  try {
    return lookAt(path);
  } catch {
    return undefined; // not for this user any more
  }
}
