/** The traces in the state: the newest ones, for as long as they are kept. */

import { describeThrown } from "../protocol/index.ts";
import type { CallFacts, Decision, Outcome, Step } from "./feature.ts";
import { Redactor } from "./redactor.ts";
import { numberOf } from "./row.ts";
import type { Cell, Migrations, Statement, Store } from "./store.ts";
import { defaultTraceLimits, type Trace, type TraceLimits } from "./trace.ts";
import { toTrace } from "./trace-row.ts";
import { summariseArguments } from "./trace-summary.ts";

/** No index: a call pays for each page that is written, and who looks for a trace can wait for some thousand rows. */
export const traceMigrations: Migrations = {
  feature: "trace",
  steps: [
    `CREATE TABLE trace_call (
       id INTEGER PRIMARY KEY, trace_id TEXT NOT NULL, at INTEGER NOT NULL, principal TEXT NOT NULL, door TEXT NOT NULL,
       tool TEXT NOT NULL, risk TEXT NOT NULL, task TEXT, call TEXT, origin TEXT, code TEXT, rule TEXT, attempts INTEGER NOT NULL,
       duration_ms REAL NOT NULL, message TEXT NOT NULL, summary TEXT NOT NULL, steps TEXT NOT NULL, args TEXT, fault TEXT
     ) STRICT;`,
  ],
};

export interface TraceFilter {
  readonly task?: string;
  /** Only traces with a greater `id`: what came since. */
  readonly after?: number;
  /** Only calls that were refused or failed. */
  readonly failed?: boolean;
  /** The newest so many; default: 100. */
  readonly limit?: number;
}

/** How often, in traces, it looks whether old ones are to be dropped. */
const pruneInterval = 256;

export class TraceBook {
  readonly #store: Store;
  readonly #redactor: Redactor;
  readonly #limits: TraceLimits;
  readonly #now: () => number;
  readonly #insert: Statement;
  readonly #end: Statement;
  readonly #findBegun: Statement;
  readonly #find: Statement;
  readonly #prune: Statement;
  /** The traces of the calls that run here. */
  readonly #begun = new WeakMap<CallFacts, number>();
  #inserted = 0;

  constructor(
    store: Store,
    options: {
      readonly redactor?: Redactor | undefined;
      readonly limits?: Partial<TraceLimits> | undefined;
      readonly now?: (() => number) | undefined;
    } = {},
  ) {
    const { redactor = new Redactor(), limits, now = Date.now } = options;
    this.#store = store;
    this.#redactor = redactor;
    this.#limits = { ...defaultTraceLimits, ...limits };
    this.#now = now;
    this.#insert = store.prepare(
      `INSERT INTO trace_call VALUES (NULL, ${Array(18).fill("?").join(", ")})`,
    );
    this.#end = store.prepare(
      `UPDATE trace_call SET code = ?, attempts = ?, duration_ms = ?, message = ?, steps = ?, fault = ?,
       args = CASE WHEN ? THEN NULL ELSE args END WHERE id = ?`,
    );
    this.#findBegun = store.prepare("SELECT id FROM trace_call WHERE trace_id = ?");
    this.#find = store.prepare(
      "SELECT * FROM trace_call WHERE trace_id = ?1 OR call = ?1 ORDER BY trace_id = ?1 DESC, id DESC LIMIT 1",
    );
    this.#prune = store.prepare(
      `DELETE FROM trace_call WHERE id <= max((SELECT max(id) FROM trace_call) - ?,
         ifnull((SELECT id FROM trace_call WHERE at >= ? ORDER BY id LIMIT 1) - 1, 9e15))`, // looks at no more than it drops
    );
  }

  /** Notes that a call begins; its arguments stay if nobody ever hears of its end. */
  begin(facts: CallFacts): void {
    const args = this.#redact(facts.args);
    const running = [null, null, 0, 0, ""] as const;
    this.#begun.set(facts, this.#add(facts, args, running, "[]", this.#keepArgs(args), null));
  }

  /** Notes that a call was refused. */
  refuse({ facts, code, rule }: Decision): void {
    const args = this.#redact(facts.args);
    this.#add(facts, args, [code, rule ?? null, 0, 0, ""], "[]", this.#keepArgs(args), null);
  }

  /** Notes how a call ended, whether or not its begin was noted; after a success its arguments are dropped. */
  end({ facts, envelope, steps, thrown }: Outcome): void {
    const { code, attempts, duration_ms, message, ok } = envelope;
    const kept = JSON.stringify(
      steps.slice(0, this.#limits.steps).map((step) => this.#clean(step)),
    );
    const fault = thrown === undefined ? null : this.#describe(thrown);
    const id = this.#findId(facts);
    const values = [code, attempts, duration_ms, message, kept, fault, ok ? 1 : 0] as const;
    if (id !== undefined && this.#end.run(...values, id) > 0) return;
    const args = this.#redact(facts.args);
    const ending = [code, null, attempts, duration_ms, message] as const;
    this.#add(facts, args, ending, kept, ok ? null : this.#keepArgs(args), fault);
  }

  /** Gives the trace of this id, or the newest one of this call. */
  find(traceOrCallId: string): Trace | undefined {
    const row = this.#find.get(traceOrCallId);
    return row === undefined ? undefined : toTrace(row);
  }

  /** Lists the newest traces that pass the filter, in the order they came. */
  list({ task, after = 0, failed = false, limit = 100 }: TraceFilter = {}): readonly Trace[] {
    const conditions = [
      "id > ?",
      ...(task === undefined ? [] : ["task = ?"]),
      ...(failed ? ["code <> 'ok'"] : []),
    ];
    const sql = `SELECT * FROM trace_call WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ?`;
    const values = [after, ...(task === undefined ? [] : [task]), limit];
    return this.#store
      .prepare(sql)
      .all(...values)
      .map(toTrace)
      .toReversed();
  }

  /** Drops the traces that are too old, or too many. */
  prune(): void {
    this.#prune.run(this.#limits.keptTraces, this.#now() - this.#limits.keptMs);
  }

  #add(
    facts: CallFacts,
    args: unknown,
    ending: readonly Cell[],
    steps: string,
    kept: string | null,
    fault: string | null,
  ): number {
    const { traceId, at, principal, door, tool, risk, taskId, callId, origin } = facts;
    const ids = [taskId, callId, origin].map((id) =>
      id === undefined ? null : this.#redactText(id),
    );
    const who = [traceId, Math.round(at), this.#redactText(principal), door, tool, risk, ...ids];
    const summary = summariseArguments(args);
    const id = this.#insert.insert(...who, ...ending, summary, steps, kept, fault);
    this.#inserted++;
    if (this.#inserted % pruneInterval === 0) this.prune();
    return id;
  }

  /** A write that another process began, and that died, is in the state alone. */
  #findId(facts: CallFacts): number | undefined {
    const begun = this.#begun.get(facts);
    if (begun !== undefined || facts.args !== undefined) return begun;
    const row = this.#findBegun.get(facts.traceId);
    return row === undefined ? undefined : numberOf(row, "id");
  }

  #keepArgs(args: unknown): string | null {
    const json = args === undefined ? undefined : JSON.stringify(args);
    if (json === undefined || Buffer.byteLength(json) > this.#limits.argsBytes) return null;
    return json;
  }

  #clean({ name, index, attempt, startMs, durationMs, code }: Step): Step {
    return {
      name: this.#redactText(name),
      index,
      attempt,
      startMs: roundMs(startMs),
      durationMs: roundMs(durationMs),
      code,
    };
  }

  #describe(thrown: unknown): string {
    let text = describeThrown(thrown);
    let cause = thrown;
    for (let depth = 0; depth < maxCauses && cause instanceof Error; depth++) {
      cause = cause.cause;
      if (cause !== undefined) text += `\nCaused by: ${describeThrown(cause)}`;
    }
    return this.#redactText(text).slice(0, this.#limits.faultLength); // cut last: half a secret is not recognised
  }

  #redact(value: unknown): unknown {
    return this.#redactor.redactValue(value);
  }

  #redactText(text: string): string {
    return this.#redactor.redactText(text);
  }
}

const maxCauses = 4;

function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
