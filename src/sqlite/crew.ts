/**
 * The first processes of a database. They may be started before it is known which file it will be: to come up takes them longer
 * than all that their program has to do until then.
 */

import { nameSnapshotFolder } from "./file/snapshot-folder.ts";
import { defaultSqliteLimits } from "./limits.ts";
import { Answerer } from "./pool/answerer.ts";
import { launchReader, launchScout } from "./pool/launch.ts";
import type { ReaderProcess } from "./pool/reading.ts";
import { isReaderReply, isScoutReply } from "./pool/replies.ts";
import { QueryError } from "./query-error.ts";
import type { ScoutProcess } from "./pool/scout.ts";

/** Stops an answer from keeping whoever reads it busy for long: what a tool gives out of it is far less. */
const answerBytes = 1024 ** 2;

/** Starts the processes of one database; they share the folder of its private copies. */
export class Crew implements AsyncDisposable {
  readonly folder = nameSnapshotFolder();
  readonly cellBytes: number;
  #reader: ReaderProcess | undefined;
  #scout: ScoutProcess | undefined;
  #isTaken = false;

  constructor(cellBytes = defaultSqliteLimits.cellBytes) {
    this.cellBytes = cellBytes;
  }

  /**
   * Starts one of each, for whoever takes this crew; they open no file until they are asked to. The scout is needed first: where
   * there are few cores, a reader that comes up beside it would only hold up its own program.
   */
  startAhead(): void {
    const child = launchScout({ folder: this.folder });
    this.#scout = new Answerer(child, isScoutReply);
    child.stdout.once("data", () => {
      if (!this.#isTaken) this.#startReaderAhead();
    });
  }

  /** Whether it can be had for a database with this limit, by nobody else then. */
  take(cellBytes: number): boolean {
    if (this.#isTaken || cellBytes !== this.cellBytes) return false;
    this.#isTaken = true;
    return true;
  }

  startReader(): ReaderProcess {
    const ahead = this.#reader;
    this.#reader = undefined;
    if (ahead?.isUsable === true) return ahead;
    const { folder, cellBytes } = this;
    return new Answerer(launchReader({ folder, cellBytes, answerBytes }), isReaderReply);
  }

  startScout(): ScoutProcess {
    const ahead = this.#scout;
    this.#scout = undefined;
    if (ahead?.isUsable === true) return ahead;
    return new Answerer(launchScout({ folder: this.folder }), isScoutReply);
  }

  #startReaderAhead(): void {
    try {
      this.#reader = this.startReader();
    } catch (thrown) {
      if (!(thrown instanceof QueryError)) throw thrown; // whoever needs one is told
    }
  }

  /** Ends the processes that nobody has taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    const left = [this.#reader, this.#scout].filter((each) => each !== undefined);
    this.#reader = undefined;
    this.#scout = undefined;
    this.#isTaken = true;
    for (const each of left) each.kill();
    await Promise.all(left.map(({ exited }) => exited));
  }
}
