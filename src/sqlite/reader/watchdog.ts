/** The thread beside a reader: kills the process when a query has outlived its deadline, or the parent is dead. */

import { rmSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** How often a running query is looked at. */
const lookMs = 100;

interface Orders {
  readonly cells: BigInt64Array;
  readonly parent: number;
  readonly folder: string;
}

const orders: unknown = workerData;
if (isOrders(orders)) watch(orders);

function isOrders(value: unknown): value is Orders {
  return typeof value === "object" && value !== null && "cells" in value;
}

function watch({ cells, parent, folder }: Orders): never {
  for (;;) {
    const deadline = Atomics.load(cells, 0);
    if (deadline === 0n) {
      Atomics.store(cells, 1, 1n);
      Atomics.wait(cells, 0, 0n);
      Atomics.store(cells, 1, 0n);
      continue;
    }
    Atomics.wait(cells, 0, deadline, lookMs);
    if (Atomics.load(cells, 0) !== deadline) continue;
    const isOrphan = process.ppid !== parent;
    if (!isOrphan && process.hrtime.bigint() < deadline) continue;
    try {
      if (isOrphan) rmSync(folder, { recursive: true, force: true });
    } finally {
      process.kill(process.pid, "SIGKILL");
    }
  }
}
