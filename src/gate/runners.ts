/**
 * Tells whether the process that began a piece of work is still there.
 *
 * Each gate holds an exclusive lock on a file of its own. The system gives it up when the process dies, however it dies: no
 * clock is asked, no process id is trusted, and a dead one is known at once.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../transport/index.ts";
import { toStateError } from "./state-error.ts";

export class Runners implements Disposable {
  readonly #folder: string;
  readonly #id = randomBytes(8).toString("hex");
  #lock: DatabaseSync | undefined;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, "runners");
  }

  /** Gives this gate's id, holding its lock from the first time on. Throws a `StateError` when it cannot be held. */
  hold(): string {
    if (this.#lock !== undefined) return this.#id;
    try {
      makeFolder(this.#folder);
      const lock = new DatabaseSync(this.#pathOf(this.#id), { timeout: 1000 });
      lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"); // no journal: a crash would leave it
      this.#lock = lock;
      return this.#id;
    } catch (thrown) {
      throw toStateError(thrown, "lock a file in", this.#folder) ?? thrown;
    }
  }

  /** Lists the runners that are there, or died: one that closed has left no file. */
  list(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder).flatMap((file) => {
      const id = file.replace(/\.lock$/, "");
      return runnerId.test(id) ? [id] : [];
    });
  }

  isAlive(id: string): boolean {
    if (id === this.#id) return true;
    const path = this.#pathOf(id);
    if (!runnerId.test(id) || !existsSync(path)) return false;
    let lock: DatabaseSync | undefined;
    try {
      lock = new DatabaseSync(path, { timeout: 0, readOnly: true }); // read-only: one that is gone is not made anew
      lock.prepare("SELECT 1 FROM sqlite_schema").get();
      return false;
    } catch (thrown) {
      const failure = toStateError(thrown, "look at the lock", path);
      if (failure?.kind === "locked") return true;
      if (failure?.kind === "unreachable") return false;
      throw failure ?? thrown;
    } finally {
      lock?.close();
    }
  }

  /** Whether its file has been there for long: a new one may not be locked yet. */
  isOld(id: string): boolean {
    const made = statSync(this.#pathOf(id), { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && Date.now() - made > 10_000;
  }

  /** Removes the lock file of a runner that is dead and has nothing open in the ledger any more. */
  forget(id: string): void {
    if (runnerId.test(id)) rmSync(this.#pathOf(id), { force: true });
  }

  [Symbol.dispose](): void {
    if (this.#lock === undefined) return;
    this.#lock.close();
    this.#lock = undefined;
    this.forget(this.#id);
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.lock`);
  }
}

const runnerId = /^[0-9a-f]{16}$/;
