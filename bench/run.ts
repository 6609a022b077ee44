/** `npm run bench`: measures, and prints a table for each bench. A goal that is missed is said, and fails nothing. */

import { availableParallelism, loadavg } from "node:os";
import { parseCommandLine, type Wish } from "./command-line.ts";
import { canPin } from "./cpus.ts";
import { calls } from "./measures/calls.ts";
import { client } from "./measures/client.ts";
import { gate } from "./measures/gate.ts";
import { httpCalls } from "./measures/http-calls.ts";
import { httpClient } from "./measures/http-client.ts";
import { httpListeners } from "./measures/http-listeners.ts";
import { httpMemory } from "./measures/http-memory.ts";
import { large } from "./measures/large.ts";
import { memory } from "./measures/memory.ts";
import { sqliteAio } from "./measures/sqlite-aio.ts";
import { sqliteCalls } from "./measures/sqlite-calls.ts";
import { sqliteDeadline } from "./measures/sqlite-deadline.ts";
import { sqliteMemory } from "./measures/sqlite-memory.ts";
import { sqliteStart } from "./measures/sqlite-start.ts";
import { start } from "./measures/start.ts";
import { weight } from "./measures/weight.ts";
import { writePage } from "./page.ts";
import { runRounds } from "./rounds.ts";
import { summarize, type Summary } from "./summary.ts";
import { toText } from "./table.ts";

/** Above this, something else is at work on the machine; the build before the benches stays below. */
const busyLoad = 1;
const stdio = [start, calls, large, memory, client];
const http = [httpCalls, httpMemory, httpListeners, httpClient];
const sqlite = [sqliteCalls, sqliteStart, sqliteMemory, sqliteDeadline, sqliteAio];
const wish = readWish();
if (wish !== undefined) await run(wish);

function readWish(): Wish | undefined {
  try {
    return parseCommandLine(process.argv.slice(2), [...stdio, ...http, gate, ...sqlite, weight]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}

async function run({ benches, rounds, only, isJson, isToBeWritten }: Wish): Promise<void> {
  const machine = describeMachine();
  if (!isJson) console.log(`${machine}\n`);
  const summaries: Summary[] = [];
  for (const bench of benches) {
    const cases = bench.cases.filter(({ subject }) => only.length === 0 || only.includes(subject));
    const results = await runRounds(bench, cases, rounds ?? bench.rounds, note);
    note("");
    const summary = summarize(bench, results);
    summaries.push(summary);
    if (!isJson) console.log(`${toText(summary)}\n`);
    if (results.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
  }
  if (isJson) console.log(JSON.stringify({ machine, summaries }, undefined, 2));
  if (isToBeWritten) writePage(machine, summaries);
}

function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const load = loadavg()[0] ?? 0;
  const warning = load > busyLoad ? ", so these figures are noisy" : "";
  const placing = canPin
    ? "server and driver on a CPU each"
    : "no taskset: server and driver share the CPUs";
  return `Measured on ${date}: Node ${process.versions.node}, ${availableParallelism()} CPUs (${process.arch}), ${placing}, load ${load.toFixed(1)} before${warning}.`;
}

/** Shows on one line of a terminal what is being measured. */
function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
