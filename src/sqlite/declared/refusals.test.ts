// Everything that keeps a declared tool from being served, with its place and its reason.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  declaredRefusals,
  declaredTables,
  listFaults,
  text,
  withExample,
  type Refusal,
} from "../../../fixtures/declared-refusals.ts";
import { makeShedOf, type Shed } from "../../../fixtures/sqlite/shed.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";

describe("a declared tool is refused", () => {
  let shed: Shed;
  let database: Database;
  before(async () => {
    shed = makeShedOf(declaredTables);
    database = await openDatabase({ path: shed.file });
  });
  after(async () => {
    await database[Symbol.asyncDispose]();
    shed[Symbol.dispose]();
  });
  const list = (
    queries: Parameters<typeof listFaults>[1],
    door?: Parameters<typeof listFaults>[2],
  ): Promise<readonly string[]> => listFaults(database, queries, door);

  for (const [group, refusals] of Object.entries(declaredRefusals))
    describe(group, () => {
      for (const [what, query, fault, door] of refusals)
        test(what, async () => {
          const faults = await list([query], door);
          const own = faults.map((each) => each.replace(/^queries\.0\.(?:statement: )?/, ""));
          assert.ok(
            own.some((each) => fault.test(each)),
            JSON.stringify(faults),
          );
          assert.ok(faults.length <= 3, JSON.stringify(faults));
        });
    });

  test("where it has the name of another", async () => {
    assert.deepEqual(await list(["SELECT 1", "SELECT 2"]), [
      'queries.1.name: it is "find" as that of queries.0, expected a name of its own',
    ]);
  });

  test("by what the door names and there is not", async () => {
    const door = { tables: ["order"], functions: ["load_extension"], mask: ["a.b"] };
    assert.deepEqual(await list(["VALUES (1)"], door), [
      'tables.0: there is no table "order" in the file, did you mean "orders"?',
      `functions.0: "load_extension" is no function of SQLite that only computes, ${(await list(["VALUES (1)"], door))[1]?.split("computes, ")[1]}`,
      'mask.0: it is the string "a.b", which is no table.column of the file, expected one such as customers.email',
    ]);
  });

  test("with everything that is wrong with it", async () => {
    const faults = await list([
      { name: "a b", statement: "SELECT :a; SELECT ?", parameters: [{ ...text, maxLength: 600 }] },
    ]);
    assert.deepEqual(
      faults.map((fault) => fault.split(":")[0]),
      ["queries.0.statement", "queries.0.statement", "queries.0.statement", "queries.0.name", "queries.0.parameters.0.name", "queries.0.parameters.0.maxLength"],
    ); // prettier-ignore
  });

  const good: readonly Refusal[] = [
    ["values", "VALUES (1, 'a')", /./],
    ["a WITH that is not recursive", "WITH a AS (SELECT id FROM orders) SELECT * FROM a;", /./],
    ["a recursive one where it may be", "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a LIMIT 3", /./, { recursive: true }],
    ["a table that is named in other letters", "SELECT ID FROM Orders", /./, { tables: ["ORDERS"] }],
    ["a view, and by it what stands behind it", "SELECT name FROM outer_names", /./, { tables: ["outer_names"] }],
    ["the rows of a WITH and of a subquery, counted", "WITH a AS (SELECT id FROM orders) SELECT count(*) AS n, (SELECT count(*) FROM (SELECT 1 FROM orders)) AS m FROM a", /./, { tables: ["orders"] }],
    ["a function of the door's", "SELECT upper(name) FROM customers", /./, { functions: ["UPPER"] }],
    ["the values of a JSON text", "SELECT value FROM json_each('[1]')", /./, { tables: [] }],
    ["what is masked, where it is only shown", "SELECT * FROM (SELECT id, name, email FROM customers)", /./, { mask: ["customers.email"] }],
    ["a generated column that is masked too", "SELECT * FROM customers", /./, { mask: ["customers.email", "customers.domain"] }],
    ["USING of what is not masked", "SELECT name FROM customers JOIN orders USING (id)", /./, { mask: ["customers.email"] }],
    ["what is masked in a view", "SELECT address FROM addresses", /./, { mask: ["customers.email"] }],
    ["the words of a search", { statement: "SELECT snippet(notes, 0, '', '', '', 5) FROM notes WHERE notes MATCH $text", parameters: [text] }, /./],
    ["every kind of parameter", { statement: "SELECT :a, @b, $c, :d", parameters: [
      { name: "a", type: "boolean", description: "a", default: true },
      { name: "b", type: "number", description: "b", minimum: -1.5, maximum: 1e300, required: false },
      { name: "c", type: "string", description: "c", enum: ["x", "y"], default: "x" },
      { name: "d", type: "string", description: "d", maxLength: 512, pattern: "^\\p{L}+$" },
    ] }, /./],
    ["an argument named as what every object has", { statement: "SELECT :constructor", parameters: [{ ...text, name: "constructor" }], examples: [{ arguments: { constructor: "a" } }] }, /./],
    ["an example that must not fit", withExample({ arguments: { id: 10 }, expect: { code: "invalid_arguments" } }), /./],
  ]; // prettier-ignore
  for (const [what, query, , door] of good)
    test(`but not ${what}`, async () => assert.deepEqual(await list([query], door), []));
});
