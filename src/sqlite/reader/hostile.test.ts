// Hostile SQL gets nothing done: not with all layers, not without any one of the two that look at statements.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runBattery } from "../../../fixtures/sqlite/battery.ts";
import { hostileStatements, plainStatements } from "../../../fixtures/sqlite/hostile-statements.ts";
import { makeShed } from "../../../fixtures/sqlite/shed.ts";
import { openDatabase } from "../open-database.ts";
import { QueryError } from "../query-error.ts";
import { layers } from "./layers.ts";

describe("the hostile statements", () => {
  test("are many, and no two are the same", () => {
    const texts = hostileStatements.map(({ sql, first }) => `${first};${sql}`);
    assert.ok(texts.length >= 70);
    assert.equal(new Set(texts).size, texts.length);
  });

  test("with all layers everything is stopped, and no byte of the folder changes", async () => {
    for (const { statement, stoppedBy, hasChanged } of await runBattery(layers)) {
      assert.equal(hasChanged, false, statement.sql);
      const isPlain = statement.isLogged === true; // its harm would be the sidecars
      assert.equal(stoppedBy === undefined, isPlain, `${statement.sql}: ${stoppedBy}`);
    }
  });

  for (const missing of ["one-select", "authorizer"])
    test(`without the layer ${missing} the others still keep every byte`, async () => {
      const others = layers.filter(({ id }) => id !== missing);
      assert.equal(others.length, layers.length - 1);
      for (const { statement, hasChanged } of await runBattery(others))
        assert.equal(hasChanged, false, statement.sql);
    });

  test("through openDatabase() each is refused, plain ones are answered, and no byte changes", async () => {
    using shed = makeShed();
    const before = shed.look();
    {
      await using database = await openDatabase({ path: shed.file });
      const ask = (sql: string) => database.read((askOne) => askOne({ sql, maxRows: 10 }));
      for (const { sql, isLogged } of hostileStatements) {
        if (isLogged === true) continue;
        const text = sql.replaceAll("{folder}", shed.folder);
        await assert.rejects(ask(text), isRefusal, text);
      }
      for (const sql of plainStatements) assert.notEqual((await ask(sql)).columns.length, 0, sql);
    }
    assert.equal(shed.look(), before);
  });

  test("leave nothing beside a database with a write-ahead log", async () => {
    using shed = makeShed({ isLogged: true });
    const before = shed.look();
    {
      await using database = await openDatabase({ path: shed.file });
      const answer = await database.read((ask) =>
        ask({ sql: "SELECT count(*) FROM t", maxRows: 1 }),
      );
      assert.deepEqual([answer.rows, database.way], [[[3]], "in-place"]);
    }
    assert.equal(shed.look(), before);
  });
});

function isRefusal(thrown: unknown): boolean {
  assert.ok(thrown instanceof QueryError);
  assert.equal(thrown.kind, "refused");
  return true;
}
