/** The grants in the state: given and revoked by people, taken by calls, one use at a time. */

import { randomBytes } from "node:crypto";
import { isStringArray, UsageError } from "../protocol/index.ts";
import { covers, type Grant } from "./grant.ts";
import { numberOf, optionalNumberOf, optionalTextOf, textOf } from "./row.ts";
import { StateError } from "./state-error.ts";
import type { Migrations, Row, Statement, Store } from "./store.ts";

export const grantMigrations: Migrations = {
  feature: "grant",
  steps: [
    `CREATE TABLE grant_given (
       id TEXT PRIMARY KEY, task TEXT NOT NULL, tools TEXT NOT NULL, origins TEXT NOT NULL, principal TEXT,
       uses INTEGER NOT NULL, used INTEGER NOT NULL, reason TEXT NOT NULL, given_by TEXT NOT NULL,
       given_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER
     ) STRICT;
     CREATE INDEX grant_by_task ON grant_given (task);`,
    `ALTER TABLE grant_given ADD COLUMN for_call TEXT`,
  ],
};

export interface GrantRequest {
  readonly task: string;
  readonly tools: readonly string[];
  readonly origins?: readonly string[];
  readonly principal?: string;
  /** The one call it is for, as `bindTo` names it; default: any of the task. */
  readonly forCall?: string;
  /** How many calls it allows; default: 1. */
  readonly uses?: number;
  /** How long it holds, in ms; default: 10 minutes. */
  readonly forMs?: number;
  readonly reason: string;
  readonly givenBy: string;
}

/** The most uses and the longest time of one grant: stops a permission from becoming a habit. */
export const grantLimits = { uses: 1000, forMs: 7 * 24 * 3_600_000 } as const;

export class Grants {
  readonly #now: () => number;
  readonly #insert: Statement;
  readonly #list: Statement;
  readonly #listTask: Statement;
  readonly #usable: Statement;
  readonly #forCall: Statement;
  readonly #take: Statement;
  readonly #giveBack: Statement;
  readonly #revoke: Statement;

  constructor(store: Store, now: () => number) {
    this.#now = now;
    this.#insert = store.prepare(
      "INSERT INTO grant_given VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, NULL, ?)",
    );
    this.#list = store.prepare("SELECT * FROM grant_given ORDER BY given_at, id");
    this.#listTask = store.prepare(
      "SELECT * FROM grant_given WHERE task = ? ORDER BY given_at, id",
    );
    const isUsable = "used < uses AND expires_at > ? AND revoked_at IS NULL";
    this.#usable = store.prepare(
      `SELECT * FROM grant_given WHERE task = ? AND ${isUsable} ORDER BY expires_at, id`,
    );
    this.#forCall = store.prepare("SELECT 1 FROM grant_given WHERE task = ? AND for_call = ?");
    this.#take = store.prepare(
      `UPDATE grant_given SET used = used + 1 WHERE id = ? AND ${isUsable}`,
    );
    this.#giveBack = store.prepare(
      "UPDATE grant_given SET used = used - 1 WHERE id = ? AND used > 0",
    );
    this.#revoke = store.prepare(
      "UPDATE grant_given SET revoked_at = ? WHERE (id = ? OR task = ?) AND revoked_at IS NULL",
    );
  }

  /** Gives a grant. Throws a `UsageError` for one that allows nothing, or more than `grantLimits`. */
  give(request: GrantRequest): Grant {
    const {
      task,
      tools,
      origins = [],
      principal,
      forCall,
      uses = 1,
      forMs = 600_000,
      reason,
      givenBy,
    } = request;
    if (task === "") throw invalidGrant("its task is empty", "expected the task_id");
    if (tools.length === 0) throw invalidGrant("it names no tool", "expected at least one");
    if (reason.trim() === "") throw invalidGrant("it has no reason", "expected a few words");
    checkNumber("uses", uses, grantLimits.uses);
    checkNumber("forMs", forMs, grantLimits.forMs);
    const id = randomBytes(5).toString("hex");
    const givenAt = this.#now();
    const expiresAt = givenAt + forMs;
    this.#insert.run(
      id,
      task,
      JSON.stringify(tools),
      JSON.stringify(origins),
      principal ?? null,
      uses,
      reason,
      givenBy,
      givenAt,
      expiresAt,
      forCall ?? null,
    );
    return {
      id,
      task,
      tools,
      origins,
      principal,
      forCall,
      uses,
      used: 0,
      reason,
      givenBy,
      givenAt,
      expiresAt,
      revokedAt: undefined,
    };
  }

  /** Lists every grant, or a task's, in the order they were given; also those that no longer hold. */
  list(task?: string): readonly Grant[] {
    return (task === undefined ? this.#list.all() : this.#listTask.all(task)).map(toGrant);
  }

  /** Revokes the grant of this id, or all grants of this task; gives how many. A call that is running goes on. */
  revoke(idOrTask: string): number {
    return this.#revoke.run(this.#now(), idOrTask, idOrTask);
  }

  /** Lists the grants that hold now for such a call, the one that expires first first. */
  listUsable(call: {
    readonly task: string;
    readonly tool: string;
    readonly origin: string | undefined;
    readonly principal: string;
    readonly forCall: string;
  }): readonly Grant[] {
    return this.#usable
      .all(call.task, this.#now())
      .map(toGrant)
      .filter((grant) => covers(grant, call));
  }

  /** Whether a grant was ever given for this call alone, whatever became of it. */
  wasGivenFor(task: string, forCall: string): boolean {
    return this.#forCall.get(task, forCall) !== undefined;
  }

  /** Takes one use; gives whether there was one. */
  take(id: string): boolean {
    return this.#take.run(id, this.#now()) === 1;
  }

  /** Gives a use back: the call that took it did nothing. */
  giveBack(id: string): void {
    this.#giveBack.run(id);
  }
}

function toGrant(row: Row): Grant {
  return {
    id: textOf(row, "id"),
    task: textOf(row, "task"),
    tools: listOf(row, "tools"),
    origins: listOf(row, "origins"),
    principal: optionalTextOf(row, "principal"),
    forCall: optionalTextOf(row, "for_call"),
    uses: numberOf(row, "uses"),
    used: numberOf(row, "used"),
    reason: textOf(row, "reason"),
    givenBy: textOf(row, "given_by"),
    givenAt: numberOf(row, "given_at"),
    expiresAt: numberOf(row, "expires_at"),
    revokedAt: optionalNumberOf(row, "revoked_at"),
  };
}

function listOf(row: Row, column: string): readonly string[] {
  const list: unknown = JSON.parse(textOf(row, column));
  if (isStringArray(list)) return list;
  throw new StateError(
    "corrupt",
    `Cannot read a grant of the state: its ${column} are no list of texts`,
  );
}

function checkNumber(name: "uses" | "forMs", value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return;
  throw invalidGrant(`its ${name} is ${value}`, `expected a whole number from 1 to ${most}`);
}

function invalidGrant(what: string, expected: string): UsageError {
  return new UsageError("invalid-grant", `Cannot give the grant: ${what}, ${expected}`);
}
