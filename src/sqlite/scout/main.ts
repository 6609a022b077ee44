/**
 * The scout: a process that looks at the owner's file and brings a copy of it where that is needed, so that the process which
 * serves never opens the file. Were it to write the database itself, opening and closing would give up its own locks.
 */

import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { sweepSnapshotFolders } from "../file/snapshot-folder.ts";
import { FrameAssembler } from "../pool/frame-assembler.ts";
import { encodeFrame } from "../reader/frames.ts";
import { look } from "./look.ts";
import type { ScoutReply, ScoutRequest, ScoutSetup } from "./request.ts";

function serve({ folder }: ScoutSetup): void {
  const frames = new FrameAssembler();
  const ending = new AbortController();
  let last: Promise<void> = Promise.resolve();
  process.stdin.on("data", (piece: Buffer) => {
    for (const frame of frames.push(piece)) {
      if (!isRequest(frame)) throw new Error("A scout got what is no request");
      last = last.then(async () => {
        write(await look(frame, folder, ending.signal));
      });
    }
  });
  process.stdin.on("end", () => {
    ending.abort();
    void last.finally(() => {
      // The parent is dead, for one that lives kills its scout; nobody else may be left who removes its copies.
      rmSync(folder, { recursive: true, force: true });
      process.exit();
    });
  });
  write({ kind: "ready" });
  void sweepSnapshotFolders(dirname(folder)).catch(() => {}); // a folder that nobody may list has none of ours
}

function write(reply: ScoutReply): void {
  process.stdout.write(encodeFrame(reply));
}

function isRequest(frame: unknown): frame is ScoutRequest {
  return typeof frame === "object" && frame !== null && "kind" in frame && frame.kind === "look";
}

function isSetup(value: unknown): value is ScoutSetup {
  return typeof value === "object" && value !== null && "folder" in value;
}

const setup: unknown = JSON.parse(process.argv[2] ?? "null");
if (!isSetup(setup)) throw new Error("A scout is started by a pool, not by hand");
// A terminal's Ctrl-C goes to all: the parent decides when its scout ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.stdout.on("error", () => {}); // EPIPE: the end of stdin tells
serve(setup);
