/** A reader: a process that answers one request after the other over its standard streams, and ends with them. */

import { rmSync } from "node:fs";
import { isSameState, takeFingerprint } from "../file/fingerprint.ts";
import { describe } from "./describe.ts";
import { examine } from "./examine.ts";
import { readFrame, writeFrame } from "./frames.ts";
import { openHandle, type Handle } from "./handle.ts";
import { isRequest, isSetup } from "./is-request.ts";
import type { ReaderSetup, Reply, Request } from "./request.ts";
import { runQuery } from "./run-query.ts";
import { StatementError } from "./statement-error.ts";
import { startWatch } from "./watch.ts";

/** How long past its deadline a query is left to the parent, which kills sooner. */
const graceMs = 500;

let open: { readonly generation: number; readonly handle: Handle } | undefined;

function serve(setup: ReaderSetup): void {
  const watch = startWatch(setup);
  writeFrame({ kind: "ready" });
  for (let frame = readFrame(); frame !== undefined; frame = readFrame()) {
    if (!isRequest(frame)) throw new Error("A reader got what is no request");
    watch.begin(frame.deadlineMs + graceMs);
    const reply = answer(frame, setup);
    watch.end();
    writeFrame(reply);
  }
}

function answer(request: Request, setup: ReaderSetup): Reply {
  const { watched, fingerprint, checksBefore, checksAfter } = request.source;
  const isAsExpected = (): boolean => {
    const now = takeFingerprint(watched);
    return now !== undefined && isSameState(fingerprint, now);
  };
  if (checksBefore && !isAsExpected()) return { kind: "changed" };
  const reply = read(request, setup);
  return checksAfter && !isAsExpected() ? { kind: "changed" } : reply;
}

function read(request: Request, setup: ReaderSetup): Reply {
  const { source } = request;
  let isPrepared = false;
  try {
    switch (request.kind) {
      case "describe":
        return { kind: "schema", tables: describe(source.file) };
      case "examine":
        return { kind: "examination", ...examine(source.file, request.sql) };
      case "query": {
        const handle = openFor(source.generation, source.file);
        handle.prepare(request.query.sql, request.query.allows);
        isPrepared = true;
        return runQuery(handle, request.query, setup);
      }
    }
  } catch (thrown) {
    return { kind: "failed", failure: toFailure(thrown, isPrepared) };
  }
}

function openFor(generation: number, file: string): Handle {
  if (open?.generation === generation) return open.handle;
  open?.handle[Symbol.dispose]();
  open = undefined;
  const handle = openHandle(file);
  open = { generation, handle };
  return handle;
}

function toFailure(
  thrown: unknown,
  isPrepared: boolean,
): Extract<Reply, { kind: "failed" }>["failure"] {
  if (thrown instanceof StatementError) return { of: "statement", text: thrown.message };
  if (thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number")
    return {
      of: "sqlite",
      code: thrown.errcode,
      text: thrown.message,
      whilePreparing: !isPrepared,
    };
  throw thrown;
}

const setup: unknown = JSON.parse(process.argv[2] ?? "null");
if (!isSetup(setup)) throw new Error("A reader is started by a pool, not by hand");
try {
  serve(setup);
} finally {
  if (process.ppid !== setup.parent && setup.folder !== undefined)
    rmSync(setup.folder, { recursive: true, force: true });
}
process.exit();
