/** Calls per second of a pump that keeps a number of them in flight, once it is warm. */

import { setTimeout as sleep } from "node:timers/promises";

const warmMs = 300;
const runMs = 500;

export interface Pump {
  readonly answered: number;
  run(flight: number): Promise<void>;
  stop(): void;
}

export interface Rate {
  readonly perSecond: number;
  /** The share of one CPU that the driver used. */
  readonly driverBusy: number;
  /** How many calls were answered before those that were counted, and with them. */
  readonly counted: readonly [from: number, to: number];
}

export async function measureRate(pump: Pump, flight: number): Promise<Rate> {
  const done = pump.run(flight);
  await Promise.race([done, sleep(warmMs)]);
  const from = pump.answered;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.race([done, sleep(runMs)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const to = pump.answered;
  pump.stop();
  await done;
  return {
    perSecond: (to - from) / seconds,
    driverBusy: (user + system) / 1e6 / seconds,
    counted: [from, to],
  };
}
