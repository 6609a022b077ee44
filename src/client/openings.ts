/** The openings of one `connect()`: ended when its signal is aborted, closed when they are not taken. */

import type { CloseReport } from "./close-report.ts";
import { explainCancellation } from "./client-error.ts";
import { open, type Opening, type Wiring } from "./opening.ts";
import type { ConnectOptions, ConnectTarget } from "./options.ts";

export class Openings implements Disposable {
  /** Whether the server can be had a second time: a process can. */
  readonly canRestart: boolean;
  readonly #target: ConnectTarget;
  readonly #options: ConnectOptions;
  readonly #wiring: Wiring;
  readonly #opened: Opening[] = [];

  /** Listens to the signal until it is disposed. */
  constructor(target: ConnectTarget, options: ConnectOptions, wiring: Wiring) {
    this.canRestart = "command" in target;
    this.#target = target;
    this.#options = options;
    this.#wiring = wiring;
    options.signal?.addEventListener("abort", this.#endAborted);
  }

  async open(): Promise<Opening> {
    const opening = await open(this.#target, this.#options, this.#wiring);
    this.#opened.push(opening);
    this.#endAborted();
    return opening;
  }

  /** Begins to close all but the one that is kept. */
  closeOthers(kept: Opening | undefined): readonly Promise<CloseReport>[] {
    return this.#opened.filter((each) => each !== kept).map((each) => each.close(this.#options));
  }

  [Symbol.dispose](): void {
    this.#options.signal?.removeEventListener("abort", this.#endAborted);
  }

  readonly #endAborted = (): void => {
    const { signal } = this.#options;
    if (signal?.aborted !== true) return;
    for (const { connection } of this.#opened) connection.end(explainCancellation(signal));
  };
}
