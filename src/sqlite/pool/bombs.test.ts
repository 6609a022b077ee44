// A statement that would run for ever or fill the memory is stopped; the others are answered meanwhile.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bombs, endless } from "../../../fixtures/sqlite/bombs.ts";
import {
  canSeeProcesses,
  isRunning,
  listServants,
  until,
} from "../../../fixtures/sqlite/processes.ts";
import { makeShedOf, type Shed } from "../../../fixtures/sqlite/shed.ts";
import type { Database, ReadOptions } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { QueryError } from "../query-error.ts";
import type { Answer } from "../query.ts";

describe("a pool", () => {
  let shed: Shed;
  let database: Database;
  const reports: string[] = [];

  before(async () => {
    shed = makeShedOf(`
    CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO t SELECT i, hex(i * 7919 % 65536) || hex(zeroblob(20)) FROM n;
  `);
    database = await openDatabase({ path: shed.file, report: (text) => reports.push(text) });
  });

  after(async () => {
    await database[Symbol.asyncDispose]();
    shed[Symbol.dispose]();
  });

  function ask(sql: string, deadlineMs?: number, options?: ReadOptions): Promise<Answer> {
    const query = { sql, maxRows: 10, allows: { recursion: true } };
    return database.read(
      (askOne) => askOne(deadlineMs === undefined ? query : { ...query, deadlineMs }),
      options,
    );
  }

  async function kindOf(answer: Promise<Answer>): Promise<string | undefined> {
    try {
      await answer;
      return undefined;
    } catch (thrown) {
      assert.ok(thrown instanceof QueryError, String(thrown));
      return thrown.kind;
    }
  }

  /** All that a query may not leave behind: in the folder of the database, and in the one for temporary files. */
  function look(): readonly string[] {
    return [
      shed.look(),
      ...readdirSync(tmpdir()).filter((name) => /^(?:etilqs|sqlite)/.test(name)),
    ];
  }

  describe("a bomb", () => {
    for (const [name, { sql, ends }] of Object.entries(bombs))
      test(name, async () => {
        const seen = look();
        const kind = await kindOf(ask(sql, 500));
        assert.ok(ends.includes(kind), `it ended with ${kind}`);
        assert.deepEqual(look(), seen);
        assert.deepEqual((await ask("SELECT count(*) FROM t")).rows, [[2000]]);
      });

    test("that runs keeps no other question waiting", async () => {
      const stopping = new AbortController();
      const running = ["one", "two", "three"].map(() =>
        kindOf(ask(endless, undefined, { signal: stopping.signal })),
      );
      for (let n = 0; n < 20; n++) await ask("SELECT count(*) FROM t");
      stopping.abort();
      assert.deepEqual(await Promise.all(running), ["cancelled", "cancelled", "cancelled"]);
    });

    test(
      "that nobody waits for any more is stopped with its process",
      { skip: !canSeeProcesses },
      async () => {
        const stopping = new AbortController();
        const kind = kindOf(ask(endless, undefined, { signal: stopping.signal }));
        const servants = (): readonly number[] => listServants(process.pid).map(({ pid }) => pid);
        await sleep(100); // it runs
        const running = servants();
        stopping.abort(new Error("gone"));
        assert.equal(await kind, "cancelled");
        await until(() => running.some((pid) => !isRunning(pid)));
        await ask("SELECT 1");
      },
    );

    test("is not begun at all for somebody who has gone already", async () => {
      assert.equal(
        await kindOf(ask("SELECT 1", undefined, { signal: AbortSignal.abort() })),
        "cancelled",
      );
    });
  });

  describe("the queue", () => {
    test("takes as many as its limit, and each limit has an error of its own", async () => {
      await using small = await openDatabase({
        path: shed.file,
        limits: { queries: 1, queue: 2, queueWaitMs: 300 },
      });
      const askSmall = (sql: string, deadlineMs: number, signal?: AbortSignal): Promise<Answer> =>
        small.read(
          (askOne) => askOne({ sql, maxRows: 1, deadlineMs, allows: { recursion: true } }),
          signal === undefined ? {} : { signal },
        );
      const leaving = new AbortController();
      const running = kindOf(askSmall(endless, 1_000));
      const leaver = kindOf(askSmall("SELECT 1", 1_000, leaving.signal));
      const waiting = kindOf(askSmall("SELECT 1", 1_000));
      assert.equal(await kindOf(askSmall("SELECT 1", 1_000)), "queue-full");
      leaving.abort();
      assert.equal(await leaver, "cancelled");
      const inItsPlace = kindOf(askSmall("SELECT 1", 1_000));
      assert.equal(await kindOf(askSmall("SELECT 1", 1_000)), "queue-full");
      assert.equal(await waiting, "queue-wait");
      assert.equal(await inItsPlace, "queue-wait");
      assert.equal(await running, "too-slow");
      assert.equal(await kindOf(askSmall("SELECT 1", 1_000)), undefined);
    });

    test("is answered in its order", async () => {
      await using small = await openDatabase({ path: shed.file, limits: { queries: 1 } });
      const order: number[] = [];
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          await small.read((askOne) => askOne({ sql: `SELECT ${index}`, maxRows: 1 }));
          order.push(index);
        }),
      );
      assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });
});
