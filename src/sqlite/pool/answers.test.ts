// What a database answers: values, names, limits, and what is said when there is no answer.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { makeShed, makeShedOf, type Shed } from "../../../fixtures/sqlite/shed.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { QueryError } from "../query-error.ts";
import type { Allowance, Answer, Parameter, Query } from "../query.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const broken = (text: string) => ({ text, invalid_utf8: true });

/** As SQLite has it, and as it is given. */
const values: readonly (readonly [sql: string, value: unknown])[] = [
  ["NULL", null],
  ["0", 0],
  ["-1", -1],
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", "9007199254740992"],
  ["-9007199254740993", "-9007199254740993"],
  ["9223372036854775807", "9223372036854775807"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["0.1", 0.1],
  ["1.0", 1],
  ["1e308", 1e308],
  ["5e-324", 5e-324],
  ["9e999", "Infinity"],
  ["-9e999", "-Infinity"],
  ["0.0 / 0", null],
  ["''", ""],
  ["'null'", "null"],
  ["'true'", "true"],
  ["'9007199254740993'", "9007199254740993"],
  ["'2026-11-30T00:00:00'", "2026-11-30T00:00:00"],
  ["'{\"a\": 1}'", '{"a": 1}'],
  ["' x '", " x "],
  ["'👩🏽‍👩‍👧'", "👩🏽‍👩‍👧"],
  ["char(65533)", "\uFFFD"],
  ["'a' || char(13, 10) || 'b'", "a\nb"],
  ["'a' || char(0) || 'b'", "ab"],
  ["'a' || char(27) || '[31mb'", "ab"],
  ["'a' || char(8238) || 'b'", "ab"],
  ["CAST(x'61ff62' AS TEXT)", broken("a\uFFFDb")],
  ["CAST(x'eda080' AS TEXT)", broken("\uFFFD\uFFFD\uFFFD")],
  ["CAST(x'c0af' AS TEXT)", broken("\uFFFD\uFFFD")],
  ["CAST(x'efbfbdff' AS TEXT)", broken("\uFFFD\uFFFD")],
  ["x''", { blob_bytes: 0, sha256: sha256(new Uint8Array()) }],
  ["x'00ff'", { blob_bytes: 2, sha256: sha256(Uint8Array.of(0, 255)) }],
  ["CAST('text' AS BLOB)", { blob_bytes: 4, sha256: sha256(Buffer.from("text")) }],
];

describe("a database", () => {
  let shed: Shed;
  let database: Database;

  before(async () => {
    shed = makeShedOf(`
    CREATE TABLE v (id INTEGER PRIMARY KEY, value);
    ${values.map(([sql]) => `INSERT INTO v(value) VALUES (${sql});`).join("\n")}
    CREATE TABLE people (name TEXT, "pass\u200bword" TEXT, age);
    INSERT INTO people VALUES ('Ann', 'sesame', 30), ('Bob', 'swordfish', 40);
    CREATE TABLE long (n INTEGER, text TEXT, blob BLOB);
    INSERT INTO long VALUES
      (1, printf('%.*c', 999, 'x'), zeroblob(999)),
      (2, printf('%.*c', 1000, 'x'), zeroblob(1000)),
      (3, printf('%.*c', 1001, 'x'), zeroblob(1001)),
      (4, printf('%.*c', 400, 'é') || printf('%.*c', 401, 'é'), NULL);
    CREATE VIEW names AS SELECT name FROM people;
    CREATE VIEW broken AS SELECT hidden_column FROM hidden_table;
    CREATE TABLE docs (body);
    INSERT INTO docs VALUES ('{"secret');
  `);
    database = await openDatabase({ path: shed.file, limits: { cellBytes: 1_000 } });
  });

  after(async () => {
    await database[Symbol.asyncDispose]();
    shed[Symbol.dispose]();
  });

  function ask(sql: string, options: Partial<Query> = {}): Promise<Answer> {
    return database.read((askOne) => askOne({ sql, maxRows: 100, ...options }));
  }

  describe("a statement", () => {
    test("is told apart from all others, however many there were, and from itself with other rights", async () => {
      const one = { tables: ["people"] };
      const other = { tables: ["people"], masked: [{ table: "people", column: "name" }] };
      const sql = "SELECT name FROM people ORDER BY age";
      for (let round = 0; round < 2; round++)
        for (let n = 0; n < 100; n++) {
          assert.deepEqual((await ask(`SELECT ${n} FROM people`)).rows[0], [n]);
          if (n % 10 > 0) continue;
          assert.deepEqual((await ask(sql, { allows: one })).rows, [["Ann"], ["Bob"]]);
          assert.deepEqual((await ask(sql, { allows: other })).rows, [[null], [null]]);
        }
    });

    test("is told again to a reader that may never have got it", async () => {
      await using fresh = await openDatabase({ path: shed.file, limits: { queries: 1 } });
      const sql = "SELECT max(age) FROM people";
      const going = new AbortController();
      const gone = fresh.read((askOne) => askOne({ sql, maxRows: 1 }), { signal: going.signal });
      going.abort();
      await assert.rejects(gone);
      const { rows } = await fresh.read((askOne) => askOne({ sql, maxRows: 1 }));
      assert.deepEqual(rows, [[40]]);
    });
  });

  describe("values", () => {
    test("come as the contract says, whatever they look like", async () => {
      const { rows, removed } = await ask("SELECT value FROM v ORDER BY id");
      assert.deepEqual(
        rows.map(([value]) => value),
        values.map(([, value]) => value),
      );
      assert.deepEqual([removed.controls, removed.escapes, removed.bidi], [1, 1, 1]);
    });

    test("come from a database that has a table of as many columns as SQLite allows", async () => {
      const columns = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
      using wide = makeShedOf(
        `CREATE TABLE wide (${columns.join()}); CREATE TABLE t (a); INSERT INTO t VALUES (7);`,
      );
      await using other = await openDatabase({ path: wide.file });
      const { rows } = await other.read((askOne) =>
        askOne({ sql: "SELECT a, c1999 FROM t LEFT JOIN wide", maxRows: 1 }),
      );
      assert.deepEqual(rows, [[7, null]]);
    });

    test("that are broken are found in a UTF-16 database too", async () => {
      using wide = makeShedOf(`
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT);
      INSERT INTO t(a, b) VALUES (1, 'é' || char(65533)), (2, CAST(x'3dd8' AS TEXT)), (3, 'plain');
    `);
      await using other = await openDatabase({ path: wide.file });
      const { rows } = await other.read((askOne) =>
        askOne({ sql: "SELECT a, b AS a FROM t ORDER BY id; -- both", maxRows: 10 }),
      );
      assert.deepEqual(rows[0], [1, "é\uFFFD"]);
      assert.deepEqual(Object.keys(rows[1]?.[1] ?? {}), ["text", "invalid_utf8"]);
      assert.deepEqual(rows[2], [3, "plain"]);
    });

    const sent: readonly (readonly [given: Parameter, type: string, got: unknown])[] = [
      [1, "integer", 1],
      [-0, "integer", 0],
      [1.5, "real", 1.5],
      [2 ** 62, "integer", String(2n ** 62n)],
      [1e300, "real", 1e300],
      [-(2n ** 63n), "integer", String(-(2n ** 63n))],
      [true, "integer", 1],
      [false, "integer", 0],
      [null, "null", null],
      ["", "text", ""],
      ["1", "text", "1"],
      ["'; DROP TABLE v; --", "text", "'; DROP TABLE v; --"],
    ];

    test("are bound as what they are", async () => {
      for (const [value, type, got] of sent) {
        const { rows } = await ask("SELECT typeof(:x), :x", { parameters: { x: value } });
        assert.deepEqual(rows, [[type, got]]);
      }
    });

    test("that SQLite does not have are a mistake of the caller", async () => {
      for (const x of [NaN, Infinity, 2n ** 63n, "x".repeat(1_000_001)])
        await assert.rejects(ask("SELECT :x", { parameters: { x } }), { code: "invalid-query" });
      for (const maxRows of [-1, 1.5, NaN])
        await assert.rejects(ask("SELECT 1", { maxRows }), { code: "invalid-query" });
      const { rows } = await ask("SELECT length(:x)", { parameters: { x: "x".repeat(1_000_000) } });
      assert.deepEqual(rows, [[1_000_000]]);
    });
  });

  describe("an answer", () => {
    test("has columns whose names are clean and not the same", async () => {
      const { columns } = await ask(
        `SELECT 1 AS a, 2 AS a, 3 AS "a_2", 4 AS "b\u202e" FROM people`,
      );
      assert.deepEqual(columns, ["a", "a_2", "a_2_2", "b"]);
    });

    test("has as many rows as are wanted, and says whether there are more", async () => {
      for (const [maxRows, count, hasMore] of [
        [0, 0, true],
        [1, 1, true],
        [2, 2, false],
        [3, 2, false],
      ] as const) {
        const answer = await ask("SELECT name FROM people", { maxRows });
        assert.deepEqual([answer.rows.length, answer.hasMore], [count, hasMore]);
      }
      const empty = await ask("SELECT name FROM people WHERE 0");
      assert.deepEqual([empty.columns, empty.rows, empty.hasMore], [["name"], [], false]);
    });

    test("has no value larger than the limit, and says which column it is in", async () => {
      for (const column of ["text", "blob"]) {
        const sql = `SELECT n, ${column} FROM long WHERE n = :n`;
        for (const n of [1, 2])
          assert.equal((await ask(sql, { parameters: { n } })).rows.length, 1);
        await assert.rejects(ask(sql, { parameters: { n: 3 } }), {
          kind: "cell-too-large",
          message: "A value of column 2 is larger than 1000 bytes",
        });
      }
      const wide = ask("SELECT text FROM long WHERE n = 4"); // 801 characters, 1 602 bytes
      await assert.rejects(wide, { kind: "cell-too-large" });
    });

    test("of many large rows is cut, and says that there are more", async () => {
      const { rows, hasMore } = await ask(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, printf('%.*c', 999, 'x') FROM n",
        { maxRows: 1_000_000, allows: { recursion: true } },
      );
      assert.ok(hasMore);
      assert.ok(rows.length > 1_000 && rows.length < 1_100, String(rows.length));
    });

    test("has no row larger than an answer", async () => {
      const sql = (count: number): string =>
        `SELECT ${Array(count).fill("printf('%.*c', 1000, 'x')").join(", ")}`;
      assert.equal((await ask(sql(900))).rows.length, 1);
      await using other = await openDatabase({ path: shed.file });
      const large = "SELECT printf('%.*c', 1000000, 'x'), printf('%.*c', 1000000, 'x')";
      const largest = `${large}, printf('%.*c', 1000000, 'x')`;
      const askOther = (text: string) => other.read((askOne) => askOne({ sql: text, maxRows: 1 }));
      assert.equal((await askOther(large)).rows.length, 1);
      await assert.rejects(askOther(largest), { kind: "cell-too-large" });
    });

    test("is the same for all that one read asks, and no question comes after the read", async () => {
      let late: (() => Promise<Answer>) | undefined;
      const answers = await database.read((askOne) => {
        late = () => askOne({ sql: "SELECT 1", maxRows: 1 });
        return Promise.all([1, 2, 3].map((n) => askOne({ sql: `SELECT ${n}`, maxRows: 1 })));
      });
      assert.deepEqual(
        answers.map(({ rows }) => rows),
        [[[1]], [[2]], [[3]]],
      );
      await assert.rejects(async () => late?.(), { code: "read-ended" });
    });

    test("is not there when the work around it fails: that is thrown, and the reader is free again", async () => {
      await assert.rejects(
        database.read(async (askOne) => {
          void askOne({ sql: "SELECT 1", maxRows: 1 });
          throw new RangeError("of the caller");
        }),
        new RangeError("of the caller"),
      );
      assert.deepEqual((await ask("SELECT 1")).rows, [[1]]);
    });
  });

  describe("a statement", () => {
    const secret: Allowance = { masked: [{ table: "PEOPLE", column: "Age" }] };

    test("gets NULL for a masked column, wherever it looks", async () => {
      const { rows } = await ask("SELECT age, length(age), age IS NULL FROM people", {
        allows: secret,
      });
      assert.deepEqual(rows, [
        [null, null, 1],
        [null, null, 1],
      ]);
      const found = await ask("SELECT name FROM people WHERE age > 35", { allows: secret });
      assert.deepEqual(found.rows, []);
      assert.deepEqual((await ask("SELECT name FROM people WHERE age > 35")).rows, [["Bob"]]);
    });

    test("gets NULL for it each time, whatever others were allowed in between", async () => {
      const sql = "SELECT max(age) FROM people";
      const all: readonly Allowance[] = [secret, {}, { tables: ["people"] }, { recursion: true }];
      for (let n = 0; n < 12; n++) {
        const allows = all[n % all.length] ?? {};
        const { rows } = await ask(sql, { allows });
        assert.deepEqual(rows, [[allows === secret ? null : 40]]);
        await ask(`SELECT ${n} FROM v`);
      }
      const recursion =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n";
      await ask(recursion, { allows: { recursion: true } });
      await assert.rejects(ask(recursion), { kind: "refused" });
      await ask(recursion, { allows: { recursion: true } });
    });

    test("that reads a table of FTS5 or R-Tree needs no right to what these keep for themselves", async () => {
      using other = makeShed();
      await using served = await openDatabase({ path: other.file });
      for (const [sql, tables] of [
        ["SELECT body FROM docs WHERE docs MATCH 'hello'", ["docs"]],
        ["SELECT highlight(docs, 0, '<', '>') FROM docs('world')", ["docs"]],
        ["SELECT id FROM boxes WHERE x0 > 0", ["boxes"]],
      ] as const) {
        const query = { sql, maxRows: 10, allows: { tables } };
        assert.equal((await served.read((askOne) => askOne(query))).rows.length, 1, sql);
      }
      const query = { sql: "SELECT * FROM secret", maxRows: 1, allows: { tables: ["docs"] } };
      await assert.rejects(
        served.read((askOne) => askOne(query)),
        { kind: "refused" },
      );
    });

    test("reads only the tables it is allowed, also behind a view", async () => {
      for (const [sql, tables, isTaken] of [
        ["SELECT name FROM people", ["People"], true],
        ["SELECT name FROM people", ["v"], false],
        ["SELECT count(*) FROM people", ["v"], false],
        ["SELECT name FROM names", ["names", "people"], true],
        ["SELECT name FROM names", ["names"], false],
        ["SELECT count(*) FROM (SELECT 1 FROM v)", ["v"], true],
        ["WITH mine AS (SELECT 1 FROM v) SELECT count(*) FROM mine", ["v"], true],
        ["SELECT count(*) FROM sqlite_schema", ["v"], false],
        ["SELECT count(*) FROM dbstat", ["v"], false],
        ["SELECT count(*) FROM json_each('[1]')", [], true],
      ] as const) {
        const answer = ask(sql, { allows: { tables } });
        if (isTaken) assert.equal((await answer).columns.length, 1, sql);
        else await assert.rejects(answer, { kind: "refused" }, sql);
      }
    });

    test("gets exactly its parameters", async () => {
      for (const [sql, parameters, what] of [
        ["SELECT :a", {}, "its parameter :a is not given"],
        ["SELECT :a", { a: 1, b: 2 }, "more parameters are given than it has"],
        ["SELECT :a", { b: 2 }, "its parameter :a is not given"],
        ["SELECT ?", {}, "its parameter ? has no name such as :id"],
        ["SELECT ?1", {}, "its parameter ?1 has no name such as :id"],
        ["SELECT ':a'", { a: 1 }, "more parameters are given than it has"],
      ] as const)
        await assert.rejects(ask(sql, { parameters }), {
          kind: "refused",
          message: `Cannot run the query: ${what}`,
        });
      assert.deepEqual((await ask("SELECT :a, ':b'", { parameters: { a: 1 } })).rows, [[1, ":b"]]);
    });

    test("that is refused is told what is wrong with it", async () => {
      for (const [sql, what] of [
        ["SELECT nope FROM people", "no such column: nope"],
        ["SELECT people.nope FROM people", "no such column: people.nope"],
        ['SELECT "nope" FROM people', /^no such column: "nope"/],
        ["SELECT * FROM nowhere", "no such table: nowhere"],
        ["SELECT nope(1)", "no such function: nope"],
        ["SELECT FROM", 'near "FROM": syntax error'],
        ["SELECT name FROM people a, people b", "ambiguous column name: name"],
        ["SELECT abs()", "wrong number of arguments to function abs()"],
        ["SELECT load_extension('x')", "not authorized to use function: load_extension"],
        ["SELECT abs(-9223372036854775807 - 1)", "integer overflow"],
        ["SELECT zeroblob(1000000000)", "string or blob too big"],
        ["SELECT 'a' LIKE printf('%.*c', 2000, 'a')", "LIKE or GLOB pattern too complex"],
        ["SELECT", "incomplete input"],
        ["", "it does not begin as a SELECT"],
      ] as const)
        await assert.rejects(ask(sql), (thrown) => {
          assert.ok(thrown instanceof QueryError);
          assert.equal(thrown.kind, "refused");
          const said = thrown.message.replace("Cannot run the query: ", "");
          if (typeof what === "string") assert.equal(said, what);
          else assert.match(said, what);
          return true;
        });
    });

    test("that is refused is told nothing that stands in the database", async () => {
      for (const sql of [
        "SELECT * FROM broken", // no such table: main.hidden_table
        "SELECT json_extract('{}', body) FROM docs", // bad JSON path: '{"secret'
        "SELECT json(body) FROM docs",
      ])
        await assert.rejects(ask(sql), (thrown) => {
          assert.ok(thrown instanceof QueryError);
          const all = JSON.stringify([thrown.message, thrown.hint, String(thrown.cause)]);
          assert.doesNotMatch(all, /secret|hidden/, sql);
          return true;
        });
    });
  });

  describe("describe() and examine()", () => {
    test("tell names with what is invisible in them apart from those they look like", async () => {
      const { tables } = await database.describe();
      const people = tables.find(({ name }) => name === "people");
      assert.deepEqual(people?.columns, [
        { name: "name", type: "TEXT", isGenerated: false },
        { name: "password (cleaned)", type: "TEXT", isGenerated: false },
        { name: "age", type: "", isGenerated: false },
      ]);
      assert.deepEqual(tables.map(({ name, kind }) => `${kind} ${name}`).toSorted(), [
        "table docs",
        "table long",
        "table people",
        "table v",
        "view broken",
        "view names",
      ]);
    });

    test("tell what a statement would read, and run nothing", async () => {
      const found = await database.examine(
        "SELECT max(age), upper(:x) FROM people WHERE age > :least ORDER BY name",
      );
      assert.equal(found.refusal, undefined);
      assert.deepEqual(found.parameters, ["x", "least"]);
      assert.deepEqual(found.reads.map(({ table, column }) => `${table}.${column}`).toSorted(), [
        "people.age",
        "people.name",
      ]);
      assert.deepEqual(found.functions.toSorted(), ["max", "upper"]);
      assert.deepEqual([found.isRecursive, found.otherActions], [false, []]);
      assert.match(found.plan.join("\n"), / people/);
      const bomb =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n";
      assert.equal((await database.examine(bomb)).isRecursive, true);
    });

    test("say why a statement would not be taken", async () => {
      assert.equal(
        (await database.examine("DELETE FROM v")).refusal,
        "it does not begin as a SELECT",
      );
      assert.equal(
        (await database.examine("SELECT 1; SELECT 2")).refusal,
        "something stands behind its semicolon",
      );
      assert.equal((await database.examine("SELECT nope")).refusal, "no such column: nope");
      const hidden = await database.examine("WITH x AS (SELECT 1) DELETE FROM v");
      assert.deepEqual(hidden.otherActions, ["DELETE"]);
    });
  });
});
