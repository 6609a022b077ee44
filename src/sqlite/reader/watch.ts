/** Starts the thread that ends a reader which cannot end itself: in the middle of a query, SQLite has the process to itself. */

import { Worker } from "node:worker_threads";
import type { ReaderSetup } from "./request.ts";

export interface Watch {
  /** A query begins, which has to end within so many milliseconds. */
  begin(ms: number): void;
  end(): void;
}

/** The first cell holds when the running query has to end, in nanoseconds, 0 for none; the second is 1 while the thread sleeps. */
export function startWatch({ parent, folder }: ReaderSetup): Watch {
  const cells = new BigInt64Array(new SharedArrayBuffer(16));
  const file = import.meta.url.endsWith(".ts") ? "./watchdog.ts" : "./watchdog.js";
  const thread = new Worker(new URL(file, import.meta.url), {
    workerData: { cells, parent, folder },
    env: {},
    stdout: true, // else it would take the process's own, on which the frames go
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  thread.unref();
  return {
    begin: (ms) => {
      Atomics.store(cells, 0, process.hrtime.bigint() + BigInt(Math.ceil(ms)) * 1_000_000n);
      if (Atomics.load(cells, 1) === 1n) Atomics.notify(cells, 0);
    },
    end: () => {
      Atomics.store(cells, 0, 0n);
    },
  };
}
