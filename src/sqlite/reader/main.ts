/** A reader: a process that answers one request after the other over its standard streams, and ends with them. */

import { rmSync } from "node:fs";
import { answer, release } from "./answer.ts";
import { readFrame, writeFrame } from "./frames.ts";
import { isRequest, isSetup } from "./is-request.ts";
import type { ReaderSetup } from "./request.ts";
import { startWatch } from "./watch.ts";

/** How long past its deadline a query is left to the parent, which kills sooner. */
const graceMs = 500;

/** Serves until its input ends, as it does when the parent is dead: a parent that lives kills its readers. */
function serve(setup: ReaderSetup): void {
  const watch = startWatch(setup);
  writeFrame({ kind: "ready" });
  for (;;) {
    const request = readFrame();
    if (request === undefined) return;
    if (!isRequest(request)) throw new Error("A reader got what is no request");
    if (request.kind === "release") {
      release(request.generation);
      continue;
    }
    watch.begin(request.deadlineMs + graceMs);
    const reply = answer(request, setup);
    watch.end();
    writeFrame(reply);
  }
}

const setup: unknown = JSON.parse(process.argv[2] ?? "null");
if (!isSetup(setup)) throw new Error("A reader is started by a pool, not by hand");
// A terminal's Ctrl-C goes to all: the parent decides what becomes of a running query.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
try {
  serve(setup);
} catch (thrown) {
  if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EPIPE")) throw thrown;
}
rmSync(setup.folder, { recursive: true, force: true });
process.exit();
