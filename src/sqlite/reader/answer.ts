/** Answers one request, from the owner's file as it was when its fingerprint was taken, or not at all. */

import { realpathSync } from "node:fs";
import { StateWatch } from "../file/state-watch.ts";
import { describe } from "./describe.ts";
import { examine } from "./examine.ts";
import { openHandle, type Handle, type Prepared } from "./handle.ts";
import type {
  Failure,
  ReaderSetup,
  ReadRequest,
  Reply,
  Request,
  Source,
  StatementText,
} from "./request.ts";
import { runQuery } from "./run-query.ts";
import { StatementError } from "./statement-error.ts";

type Question = Extract<Request, ReadRequest>;

export function answer(question: Question, setup: ReaderSetup): Reply {
  const state = learn(question);
  const began = performance.now();
  const isCheckedBefore =
    question.check === "before" || (question.check === "after" && !wasJustSeen(state, began));
  if (isCheckedBefore && !isAsItWas(state)) return { kind: "changed" };
  const reply = read(question, state, setup);
  const isSpent = performance.now() - began > quickMs && process.memoryUsage.rss() > spentBytes;
  const kept: Reply = question.check === "after" && !isAsItWas(state) ? { kind: "changed" } : reply;
  return isSpent ? { ...kept, isSpent } : kept;
}

/** What has not been looked at for longer may well have changed: it is looked at first too, lest a long query run in vain. */
const recentMs = 20;

function wasJustSeen({ generation }: State, now: number): boolean {
  return watched?.generation === generation && now - watched.seenAt < recentMs;
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

interface State extends Source {
  readonly generation: number;
}

interface Open {
  readonly generation: number;
  readonly handle: Handle;
  /** By their places. */
  readonly prepared: Map<number, Prepared>;
}

interface Watched {
  readonly generation: number;
  readonly watch: StateWatch;
  /** When it was last found to be as it was. */
  seenAt: number;
}

let told: State | undefined;
const statements = new Map<number, StatementText>();
let open: Open | undefined;
let watched: Watched | undefined;

/** Takes up what is told for the first time. */
function learn(question: Question): State {
  const { generation, source } = question;
  if (source !== undefined) told = { ...source, generation };
  if (told?.generation !== generation) throw new Error("A reader was not told where to read");
  if (question.kind === "query" && question.text !== undefined) {
    statements.set(question.statement, question.text);
    open?.prepared.delete(question.statement);
  }
  return told;
}

/** Where its name had no link in it, what stands at the name itself says whether there is one now. */
function isAsItWas({ generation, owner: { named, real, fingerprint } }: State): boolean {
  if (named !== real && follow(named) !== real) return false;
  if (watched?.generation !== generation) {
    watched?.watch[Symbol.dispose]();
    watched = { generation, watch: new StateWatch(real, fingerprint), seenAt: -Infinity };
  }
  const isUnchanged = watched.watch.isUnchanged();
  if (isUnchanged) watched.seenAt = performance.now();
  return isUnchanged;
}

function follow(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // it is gone
  }
}

/** An error may be one of a file that has changed under its reader: that is looked at afterwards. */
function read(question: Question, state: State, setup: ReaderSetup): Reply {
  let isPrepared = false;
  try {
    switch (question.kind) {
      case "describe":
        return { kind: "schema", tables: describe(state.file) };
      case "examine":
        return { kind: "examination", ...examine(state.file, question.sql, question.masked) };
      case "query": {
        const prepared = prepare(question.statement, openFor(state));
        isPrepared = true;
        return runQuery(prepared, question, setup);
      }
    }
  } catch (thrown) {
    return { kind: "failed", failure: toFailure(thrown, isPrepared) };
  }
}

function openFor({ generation, file }: State): Open {
  if (open?.generation === generation) return open;
  open?.handle[Symbol.dispose]();
  open = undefined;
  open = { generation, handle: openHandle(file), prepared: new Map() };
  return open;
}

function prepare(place: number, { handle, prepared }: Open): Prepared {
  const known = prepared.get(place);
  if (known !== undefined) return known;
  const text = statements.get(place);
  if (text === undefined) throw new Error("A reader was not told what to ask");
  const made = handle.prepare(text.sql, text.allows);
  prepared.set(place, made);
  return made;
}

function toFailure(thrown: unknown, isPrepared: boolean): Failure {
  if (thrown instanceof StatementError) return { of: "statement", text: thrown.message };
  if (thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number")
    return { of: "sqlite", code: thrown.errcode, text: thrown.message, isPrepared };
  throw thrown;
}
