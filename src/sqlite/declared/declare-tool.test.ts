// A declared tool at work: its bounds, its mask, and what it says when its tables have changed.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { makeShedOf, type Shed } from "../../../fixtures/sqlite/shed.ts";
import { openGate } from "../../gate/index.ts";
import { connectInMemory, createServer } from "../../index.ts";
import { isObject, type JsonObject } from "../../protocol/index.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import type { Declarations, QueryDeclaration } from "./declaration.ts";
import { openDeclared } from "./open-declared.ts";

const parameter = {
  name: "n",
  type: "integer",
  description: "A number",
  minimum: 0,
  maximum: 1_000_000,
} as const;

const queries: readonly Omit<QueryDeclaration, "name" | "description">[] = [
  { statement: "SELECT n, text FROM rows WHERE n <= :n ORDER BY n", parameters: [parameter], maxRows: 1000 },
  { statement: "SELECT n FROM rows ORDER BY n", maxRows: 10 },
  { statement: "SELECT n, text FROM rows ORDER BY n", limits: { resultBytes: 3_000 } },
  { statement: "SELECT printf('%.*c', :n, 'x') AS text", parameters: [parameter] },
  { statement: "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) AS n FROM c" },
  { statement: "SELECT * FROM people", mask: ["people.email"] },
  { statement: "SELECT email FROM people ORDER BY id LIMIT :n", parameters: [{ ...parameter, default: 1 }], mask: ["people.email"] },
  { statement: "SELECT p.id AS name, p.email, p.name FROM people AS p", mask: ["people.email", "people.name"] },
]; // prettier-ignore
const [byN, ten, few, long, endless, star, limited, named] = [
  "t0",
  "t1",
  "t2",
  "t3",
  "t4",
  "t5",
  "t6",
  "t7",
] as const;

describe("a declared tool", () => {
  let shed: Shed;
  let database: Database;
  let call: (name: string, args?: JsonObject) => Promise<JsonObject>;
  const closing = new AsyncDisposableStack();

  before(async () => {
    shed = closing.use(
      makeShedOf(`
        CREATE TABLE rows (n INTEGER PRIMARY KEY, text TEXT);
        WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
        INSERT INTO rows SELECT n, printf('%.*c', 400, 'é') FROM c;
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
        INSERT INTO people VALUES (1, 'Ann', 'ann@example.com');`),
    );
    database = closing.use(await openDatabase({ path: shed.file, limits: { queryMs: 400 } }));
    call = await serve(database, closing);
  });
  after(() => closing.disposeAsync());

  test("drops rows from the end that do not fit, and says so", async () => {
    const { code, data, warnings } = await call(byN, { n: 500 });
    assert.equal(code, "ok");
    assert.ok(isObject(data) && Array.isArray(data["items"]));
    const { items, count, total, truncated } = data;
    const size = Buffer.byteLength(JSON.stringify(items));
    assert.ok(size > 97_000 && size < 99_500, String(size));
    assert.deepEqual([count, total, truncated], [items.length, 500, true]);
    assert.deepEqual(warnings, [
      `Only the first ${items.length} of 500 rows fit into a result (resultBytes): ask for less by narrower arguments`,
    ]);
    assert.deepEqual(
      items.map((item) => item.n),
      items.map((_, index) => index + 1),
    );
  });

  test("gives all that fits, and says that it is all", async () => {
    const { data, warnings } = await call(byN, { n: 3 });
    assert.partialDeepStrictEqual(data, { count: 3, total: 3, truncated: false });
    assert.deepEqual(warnings, []);
  });

  test("reads no more rows than it may give", async () => {
    const { data, warnings } = await call(ten);
    assert.partialDeepStrictEqual(data, {
      count: 10,
      total: null,
      total_reason: "There are more than 10 (maxRows), and nobody counted them",
      truncated: true,
    });
    assert.deepEqual(warnings, []);
  });

  test("keeps to a resultBytes of its own", async () => {
    const envelope = await call(few);
    assert.partialDeepStrictEqual(envelope, { code: "ok", data: { count: 1, truncated: true } });
    assert.ok(JSON.stringify(envelope).length <= 3_000);
  });

  test("refuses a row that alone is too large, by the limit's name", async () => {
    assert.partialDeepStrictEqual(await call(long, { n: 98_000 }), { code: "ok" });
    assert.partialDeepStrictEqual(await call(long, { n: 99_000 }), {
      code: "result_too_large",
      message:
        "The first row has 99012 bytes as JSON, and a result has room for 98492 (resultBytes)",
    });
  });

  test("ends at the deadline of a query", async () => {
    assert.partialDeepStrictEqual(await call(endless), {
      code: "deadline_exceeded",
      retryable: true,
    });
  });

  test("shows what is masked as null", async () => {
    assert.partialDeepStrictEqual(await call(star), {
      data: { items: [{ id: 1, name: "Ann", email: null }] },
    });
    assert.partialDeepStrictEqual(await call(limited), { data: { items: [{ email: null }] } });
    assert.partialDeepStrictEqual(await call(named), {
      data: {
        columns: ["name", "email", "name_2"],
        items: [{ name: 1, email: null, name_2: null }],
      },
    }); // to SQLite, a masked column is called "p.email"
  });

  test("gives nothing that its schema does not describe when its tables have changed", async () => {
    using owner = new DatabaseSync(shed.file);
    owner.exec("ALTER TABLE people ADD COLUMN secret TEXT DEFAULT 'x'");
    assert.partialDeepStrictEqual(await call(star), {
      code: "tool_failed",
      data: null,
      message:
        "The tables have changed since this tool was declared: the statement gives 4 columns, and 3 were declared",
      hint: "Tell the person: the server has to be started again",
    });
    owner.exec("DROP TABLE people");
    assert.partialDeepStrictEqual(await call(limited), { code: "tool_failed" });
    assert.partialDeepStrictEqual(await call(ten), { code: "ok" });
  });

  test("tells which table it may read all of, when that is big, and by which line of the plan", async () => {
    using other = makeShedOf(`
      CREATE TABLE big (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);
      CREATE INDEX big_by_a ON big (a);
      WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10001)
      INSERT INTO big SELECT n, n, n FROM c;
      CREATE TABLE just_not AS SELECT * FROM big LIMIT 10000;
      CREATE VIEW seen AS SELECT x.b FROM big AS x;`);
    await using asked = await openDatabase({ path: other.file });
    const warn = async (statement: string): Promise<readonly string[]> => {
      const declared = await openDeclared(asked, toDeclarations([{ statement }]));
      if ("faults" in declared) assert.fail(JSON.stringify(declared.faults));
      return (await declared.tools[0]?.findBigScans()) ?? assert.fail();
    };
    const text = (line: string): string =>
      `it may read all of "big", which has more than 10000 rows, expected an index that serves it; the plan says: ${line}`;
    assert.deepEqual(await warn("SELECT b FROM big WHERE b = 1"), [text("SCAN big")]);
    assert.deepEqual(await warn("SELECT y.b FROM big AS y WHERE y.b = 1"), [text("SCAN y")]);
    assert.deepEqual(await warn("SELECT a FROM big WHERE a + 1 = 1"), [
      text("SCAN big USING COVERING INDEX big_by_a"),
    ]);
    assert.deepEqual(await warn("SELECT b FROM seen WHERE b = 1"), [text("SCAN x")]);
    assert.deepEqual(await warn("SELECT b FROM big WHERE a = 1"), []);
    assert.deepEqual(await warn("SELECT b FROM just_not WHERE b = 1"), []);
    assert.deepEqual(await warn("SELECT value FROM json_each('[1]')"), []);
  });
});

function toDeclarations(
  own: readonly Omit<QueryDeclaration, "name" | "description">[],
): Declarations {
  const described = own.map((query, index) => ({
    name: `t${index}`,
    description: "Reads",
    ...query,
  }));
  return { recursive: true, queries: described };
}

/** A gate that records nothing, and a client in front of it. */
async function serve(database: Database, closing: AsyncDisposableStack) {
  const declared = await openDeclared(database, toDeclarations(queries));
  if ("faults" in declared) assert.fail(JSON.stringify(declared.faults));
  const gate = closing.use(openGate({ report: assert.fail }));
  const server = closing.use(createServer({ name: "shed", version: "1.0.0" }));
  gate.addTo(
    server,
    declared.tools.map(({ tool }) => tool),
  );
  const client = closing.use(await connectInMemory(server));
  return async (name: string, args: JsonObject = {}): Promise<JsonObject> => {
    const { structuredContent } = await client.callTool(name, args);
    return isObject(structuredContent) ? structuredContent : assert.fail(name);
  };
}
