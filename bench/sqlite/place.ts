/** A folder with the database of items and a server's own files, which is there for one measurement. */

import { ok } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Case } from "../bench.ts";
import { bare } from "./bare.ts";
import { dbhub } from "./dbhub.ts";
import { genkan, genkanStateless } from "./genkan.ts";
import { countForEver, findItem, listShelf, makeItems, type Question } from "./items.ts";
import type { Command, SqliteServer } from "./server.ts";
import type { Arguments, TimedReply, ToolSession } from "./session.ts";
import { toolbox } from "./toolbox.ts";

const servers: Readonly<Record<string, SqliteServer>> = {
  bare,
  genkan,
  "genkan-stateless": genkanStateless,
  toolbox,
  dbhub,
};

export const sqliteCases: readonly Case[] = Object.keys(servers).map((subject) => ({
  subject,
  what: subject,
}));

export class ItemPlace implements Disposable {
  readonly command: Command;
  readonly #folder = mkdtempSync(join(tmpdir(), "genkan-bench-sqlite-"));
  readonly #server: SqliteServer;

  /** Throws an `Unavailable` where the server cannot be had. */
  constructor(subject: string) {
    const server = servers[subject];
    if (server === undefined) throw new Error(`There is no server "${subject}"`);
    this.#server = server;
    const database = join(this.#folder, "items.db");
    try {
      makeItems(database);
      this.command = server.prepare(this.#folder, database, [findItem, listShelf, countForEver]);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Asks, and throws when the answer is wrong. */
  async ask(session: ToolSession, question: Question, argument: number): Promise<TimedReply> {
    const reply = await session.call(question.tool, toArguments(question, argument));
    this.#check(reply, question, argument);
    return reply;
  }

  /** Asks once for each argument, one after the other, and gives how long each took in ms. */
  async time(
    session: ToolSession,
    question: Question,
    list: readonly number[],
  ): Promise<readonly number[]> {
    const durations: number[] = [];
    const calls = list.map((argument) => toArguments(question, argument));
    for await (const reply of session.callInTurn(question.tool, calls)) {
      this.#check(reply, question, list[durations.length] ?? 0);
      durations.push(reply.ms);
    }
    return durations;
  }

  #check({ result }: TimedReply, question: Question, argument: number): void {
    const wrong = `Wrong answer: ${JSON.stringify(result).slice(0, 300)}`;
    ok(isDeepStrictEqual(this.#server.readRows(result), question.listAnswer(argument)), wrong);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function toArguments({ parameter }: Question, argument: number): Arguments {
  return { [parameter]: argument };
}
