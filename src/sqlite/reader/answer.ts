/** Answers one request, from the owner's file as it was when its fingerprint was taken, or not at all. */

import { realpathSync } from "node:fs";
import { StateWatch } from "../file/state-watch.ts";
import { describe } from "./describe.ts";
import { examine } from "./examine.ts";
import { openHandle, type Handle } from "./handle.ts";
import type { Failure, ReaderSetup, ReadRequest, Reply, Request, Source } from "./request.ts";
import { runQuery } from "./run-query.ts";
import { StatementError } from "./statement-error.ts";

type Question = Extract<Request, ReadRequest>;

export function answer(question: Question, setup: ReaderSetup): Reply {
  const { source } = question;
  const { checks } = source;
  if (checks.before && !isAsItWas(source)) return { kind: "changed", when: "before" };
  const began = performance.now();
  const reply = read(question, setup);
  const isSpent = performance.now() - began > quickMs && process.memoryUsage.rss() > spentBytes;
  const kept: Reply =
    checks.after && !isAsItWas(source) ? { kind: "changed", when: "after" } : reply;
  return isSpent ? { ...kept, isSpent } : kept;
}

/** What is read faster has no time to take much memory. */
const quickMs = 20;
/** Stops one large sort from holding its memory for as long as the reader lives. */
const spentBytes = 256 * 1024 ** 2;

/** Closes the files of a state, if they are open, and forgets what was prepared on them. */
export function release(generation: number): void {
  if (open?.generation === generation) {
    open.handle[Symbol.dispose]();
    open = undefined;
  }
  if (watched?.generation === generation) {
    watched.watch[Symbol.dispose]();
    watched = undefined;
  }
}

let open: { readonly generation: number; readonly handle: Handle } | undefined;
let watched: { readonly generation: number; readonly watch: StateWatch } | undefined;

/** Where its name had no link in it, what stands at the name itself says whether there is one now. */
function isAsItWas({ generation, owner: { named, real, fingerprint } }: Source): boolean {
  if (named !== real && follow(named) !== real) return false;
  if (watched?.generation !== generation) {
    watched?.watch[Symbol.dispose]();
    watched = { generation, watch: new StateWatch(real, fingerprint) };
  }
  return watched.watch.isUnchanged();
}

function follow(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // it is gone
  }
}

/** An error may be one of a file that has changed under its reader: that is looked at afterwards. */
function read(question: Question, setup: ReaderSetup): Reply {
  const { source } = question;
  let isPrepared = false;
  try {
    switch (question.kind) {
      case "describe":
        return { kind: "schema", tables: describe(source.file) };
      case "examine":
        return { kind: "examination", ...examine(source.file, question.sql, question.masked) };
      case "query": {
        const { query } = question;
        const prepared = openFor(source.generation, source.file).prepare(query.sql, query.allows);
        isPrepared = true;
        return runQuery(prepared, query, setup);
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

function toFailure(thrown: unknown, isPrepared: boolean): Failure {
  if (thrown instanceof StatementError) return { of: "statement", text: thrown.message };
  if (thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number")
    return { of: "sqlite", code: thrown.errcode, text: thrown.message, isPrepared };
  throw thrown;
}
