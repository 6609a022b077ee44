// Everything that keeps a declared tool from being served, with its place and its reason.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import type { Declarations, ParameterDeclaration, QueryDeclaration } from "./declaration.ts";
import { openDeclared } from "./open-declared.ts";

const tables = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, domain TEXT AS (substr(email, 3)));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount REAL);
  CREATE VIEW names AS SELECT id, name FROM customers;
  CREATE VIEW addresses AS SELECT name, email AS address FROM customers;
  CREATE VIEW probe AS SELECT c.name FROM customers AS c JOIN (SELECT 'a' AS email) USING (email);
  CREATE VIEW outer_names AS SELECT name FROM names;
  CREATE VIRTUAL TABLE notes USING fts5(body);
`;

const id: ParameterDeclaration = {
  name: "id",
  type: "integer",
  description: "The id",
  minimum: 1,
  maximum: 9,
};
const text: ParameterDeclaration = {
  name: "text",
  type: "string",
  description: "A text",
  maxLength: 10,
};

/** A statement, or more of a tool, and what is said of it; the statement is the place where none is named. */
type Row = readonly [
  what: string,
  query: string | Partial<QueryDeclaration>,
  fault: RegExp,
  door?: Omit<Declarations, "queries">,
];

const byId = "SELECT id FROM orders WHERE id = :id";
const byText = "SELECT id FROM orders WHERE id = :text";
const withId = (changes: object): Partial<QueryDeclaration> => ({
  statement: byId,
  parameters: [{ ...id, ...changes }],
});
const withText = (changes: object): Partial<QueryDeclaration> => ({
  statement: byText,
  parameters: [{ ...text, ...changes }],
});
const withExample = (example: object): Partial<QueryDeclaration> => ({
  statement: byId,
  parameters: [id],
  examples: [example],
});

const statements: readonly Row[] = [
  [
    "a second statement",
    "SELECT 1; DELETE FROM orders",
    /^at line 1, column 11 of it a second statement begins with "DELETE", expected one$/,
  ],
  ["a second statement that is empty", "SELECT 1;;", /a second statement begins with ";"/],
  ["a second statement behind a comment", "SELECT 1; -- done\n SELECT 2", /^at line 2, column 2 of it a second/],
  ["a write", "DELETE FROM orders", /^it begins with "DELETE", expected one SELECT, WITH … SELECT or VALUES$/],
  ["a write behind a comment", "/* SELECT */ UPDATE orders SET id = 1", /^it begins with "UPDATE"/],
  ["a write in a WITH", "WITH a AS (SELECT 1) DELETE FROM orders", /^it does more than read \(DELETE\), expected a SELECT$/],
  ["a pragma", "PRAGMA query_only = 0", /^it begins with "PRAGMA"/],
  ["a plan", "EXPLAIN SELECT 1", /^it begins with "EXPLAIN"/],
  ["nothing", " -- nothing\n", /^it is empty, expected one SELECT/],
  ["a NUL", "SELECT 1\0; DROP TABLE orders", /^at line 1, column 9 of it there is a NUL/],
  ["a text without an end", "SELECT\n 'a", /^at line 2, column 2 of it a text begins that does not end/],
  ["a comment without an end", "SELECT 1 /* a", /a comment begins that does not end/],
  ["what SQLite does not take", "SELECT 1 FRM orders", /^SQLite refuses it: near "orders": syntax error$/],
  ["a column that is not there", "SELECT amuont FROM orders", /^SQLite refuses it: no such column: amuont, did you mean "amount"\?$/],
  ["a table that is not there", "SELECT 1 FROM order_s", /^SQLite refuses it: no such table: order_s, did you mean "orders"\?$/],
  ["a function that is not there", "SELECT uper('a')", /^SQLite refuses it: no such function: uper, did you mean "upper"\?$/],
  ["a text in the quotes of a name", 'SELECT "yes"', /^SQLite refuses it: no such column: "?yes/],
  ["a function that reaches out", "SELECT load_extension('a')", /^it calls load_extension\(\), which is not allowed/],
  ["a function that tells of the process", "SELECT sqlite_version()", /^it calls sqlite_version\(\)/],
  ["a function that the door does not name", "SELECT upper('a')", /^it calls upper\(\), which is not allowed, expected one of the door's/, { functions: ["lower"] }],
  ["a recursive query", "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a", /^it is recursive and may go on until its time is over, expected "recursive: true" at the door$/],
  ["SQLite's own table", "SELECT name FROM sqlite_schema", /^it reads "sqlite_master", a table of SQLite's own/],
  ["a table of statistics", "SELECT * FROM pragma_table_list", /^it reads "pragma_table_list", which is no table of the file, expected one of/],
  ["an inner table", "SELECT id FROM notes_content", /^it reads "notes_content", which is not allowed/],
  ["a table that the door does not name", "SELECT id FROM orders", /^it reads "orders", which is not allowed, expected customers$/, { tables: ["customers"] }],
  ["a table by its rows alone", "SELECT count(*) FROM orders", /^it reads "orders", which is not allowed/, { tables: ["customers"] }],
  ["a table in a subquery", "SELECT id FROM customers WHERE id IN (SELECT id FROM orders)", /^it reads "orders"/, { tables: ["customers"] }],
  ["a table under the name of a view that may be read", "WITH names AS (SELECT amount FROM orders) SELECT * FROM names", /^it reads "orders"/, { tables: ["names"] }],
]; // prettier-ignore

const parameters: readonly Row[] = [
  ["an undeclared parameter", { statement: "SELECT :idd, :id", parameters: [id] }, /^at line 1, column 8 of it there is the parameter ":idd", which is not declared, did you mean "id"\?$/],
  ["an undeclared parameter and none declared", "SELECT :id", /":id", which is not declared, expected it among parameters$/],
  ["a parameter in other letters", { statement: "SELECT :ID", parameters: [id] }, /":ID", which is not declared, did you mean "id"\?/],
  ["a positional parameter", { statement: "SELECT ?, :id", parameters: [id] }, /there is the positional parameter "\?", expected a name such as :id$/],
  ["a numbered parameter", { statement: "SELECT ?1, :id", parameters: [id] }, /the positional parameter "\?1"/],
  ["a parameter of Tcl", { statement: "SELECT $id::x(y)", parameters: [id] }, /there is the parameter "\$id::x\(y\)", expected a name such as :id$/],
  ["two spellings", { statement: "SELECT :id, @id", parameters: [id] }, /there is "@id" and before it ":id", expected one spelling$/],
  ["an unused parameter", { statement: "SELECT ':id' -- :id", parameters: [id] }, /^parameters\.0\.name: the statement does not use "id", expected :id in it$/],
  ["a parameter twice", { statement: byId, parameters: [id, id] }, /^parameters\.1\.name: there is another "id" before it, expected one$/],
  ["a name that is none", { statement: "SELECT 1", parameters: [{ ...id, name: "_id" }] }, /^parameters\.0\.name: it is the string "_id", expected 1 to 64 of/],
  ["a name of every object", { statement: "SELECT :__proto__", parameters: [{ ...id, name: "__proto__" }] }, /there is the parameter ":__proto__", expected a name/],
  ["a name of the gate's", { statement: "SELECT :task_id", parameters: [{ ...id, name: "task_id" }] }, /^parameters\.0\.name: "task_id" is the gate's own/],
  ["a text without a bound", withText({ maxLength: undefined }), /^parameters\.0: it is a text without a bound, expected "maxLength" of at most 512 \(inputCharacters\), or "enum"$/],
  ["a text bound by a pattern alone", withText({ maxLength: undefined, pattern: "^a$" }), /^parameters\.0: it is a text without a bound/],
  ["a text that may be too long", withText({ maxLength: 513 }), /^parameters\.0\.maxLength: it is 513, expected at most 512 \(inputCharacters\)$/],
  ["a whole number without a maximum", withId({ maximum: undefined }), /^parameters\.0: it is a whole number without "maximum", expected one$/],
  ["a number without a minimum", withId({ type: "number", minimum: undefined }), /^parameters\.0: it is a number without "minimum", expected one$/],
  ["bounds that cross", withId({ minimum: 10 }), /^parameters\.0\.maximum: it is 9, expected at least 10, the minimum$/],
  ["a bound between whole numbers", withId({ maximum: 1.5 }), /^parameters\.0\.maximum: it is the number 1\.5, expected a whole number within ±9007199254740991$/],
  ["a bound that JSON cannot carry exactly", withId({ maximum: 2 ** 53 }), /^parameters\.0\.maximum: .+ within ±9007199254740991$/],
  ["a length of a number", withId({ maxLength: 5 }), /^parameters\.0\.maxLength: it bounds nothing here, expected no such key for a whole number$/],
  ["a minimum of a text", withText({ minimum: 5 }), /^parameters\.0\.minimum: it bounds nothing here/],
  ["a pattern of a truth value", withText({ type: "boolean", maxLength: undefined, pattern: "a" }), /^parameters\.0\.pattern: it bounds nothing here/],
  ["a pattern that is none", withText({ pattern: "a(" }), /^parameters\.0\.pattern: it is the string "a\(", expected a regular expression of JavaScript$/],
  ["a default above its maximum", withId({ default: 10 }), /^parameters\.0\.default: it is the number 10, expected at most 9 \(maximum\)$/],
  ["a default of another type", withId({ default: "1" }), /^parameters\.0\.default: it is the string "1", expected a whole number$/],
  ["a default that is too long", withText({ default: "12345678901" }), /^parameters\.0\.default: .+ expected at most 10 characters \(maxLength\)$/],
  ["a default outside of its pattern", withText({ default: "b", pattern: "^a" }), /^parameters\.0\.default: .+ expected a text that fits \^a$/],
  ["a default that is none of the choices", withText({ default: "b", enum: ["a"] }), /^parameters\.0\.default: .+ expected one of "a"$/],
  ["a default of what is required", withId({ default: 1, required: true }), /^parameters\.0\.required: it is true and there is a default, expected one of the two$/],
  ["a choice of another type", withText({ enum: ["a", 1] }), /^parameters\.0\.enum\.1: it is the number 1, expected a text$/],
  ["a choice outside of the bounds", withId({ enum: [1, 10] }), /^parameters\.0\.enum\.1: it is the number 10, expected at most 9 \(maximum\)$/],
  ["a choice twice", withText({ enum: ["a", "a"] }), /^parameters\.0\.enum\.1: the string "a" is there twice, expected it once$/],
]; // prettier-ignore

const masks: readonly Row[] = [
  ["a column that is not there", { statement: "SELECT 1", mask: ["customers.emial"] }, /^mask\.0: it is the string "customers\.emial", which is no table\.column of the file, did you mean "customers\.email"\?$/],
  ["a column without its table", { statement: "SELECT 1", mask: ["email"] }, /^mask\.0: .+ expected one such as customers\.email$/],
  ["a column that can be searched", { statement: "SELECT 1", mask: ["notes.body"] }, /^mask\.0: "notes" is a table that a module of SQLite serves/],
  ["in a condition", { statement: "SELECT name FROM customers WHERE email = :text", parameters: [text], mask: ["customers.email"] }, /^it reads the masked column "customers\.email" for more than to show it/],
  ["shown and in a condition", "SELECT email FROM customers WHERE email > 'a'", /for more than to show it/, { mask: ["customers.email"] }],
  ["in a function", "SELECT length(email) FROM customers", /for more than to show it/, { mask: ["customers.email"] }],
  ["in an order", "SELECT name FROM customers ORDER BY email", /for more than to show it/, { mask: ["Customers.EMAIL"] }],
  ["in a condition of a WITH", "WITH a AS (SELECT name FROM customers WHERE email = 'a') SELECT name FROM a", /for more than to show it/, { mask: ["customers.email"] }],
  ["in USING", "SELECT c.name FROM customers AS c JOIN (SELECT 'a' AS email) USING (email)", /^it has USING \(email\), which compares "customers\.email" though it is masked, expected ON$/, { mask: ["customers.email"] }],
  ["in USING, quoted", 'SELECT c.name FROM customers AS c JOIN (SELECT 1 AS b, \'a\' AS email) USING (b, "Email")', /SQLite refuses|it has USING \(email\)/, { mask: ["customers.email"] }],
  ["in a NATURAL JOIN", "SELECT name FROM customers NATURAL LEFT JOIN (SELECT 'a' AS email)", /^it has a NATURAL JOIN, which compares also what is masked, expected ON$/, { mask: ["customers.email"] }],
  ["in USING of a view", "SELECT name FROM probe", /^it has USING \(email\)/, { mask: ["customers.email"] }],
  ["behind a generated column", "SELECT domain FROM customers", /^it reads the generated column "customers\.domain", which may be made of a masked one, expected it in the mask too$/, { mask: ["customers.email"] }],
]; // prettier-ignore

const rest: readonly Row[] = [
  ["a name that hosts refuse", { statement: "SELECT 1", name: "find.it" }, /^name: it is the string "find\.it", which hosts refuse/],
  ["a description of spaces", { statement: "SELECT 1", description: " " }, /^description: it is empty/],
  ["too many rows", { statement: "SELECT 1", maxRows: 1001 }, /^maxRows: it is 1001, expected 1 to 1000$/],
  ["an example without its argument", withExample({}), /^examples\.0: it has no argument "id", expected one$/],
  ["an example with an argument too many", withExample({ arguments: { id: 1, idd: 2 } }), /^examples\.0\.arguments\.idd: there is no parameter "idd", did you mean "id"\?$/],
  ["an example whose argument does not fit", withExample({ arguments: { id: 10 } }), /^examples\.0\.arguments\.id: it is the number 10, expected at most 9 \(maximum\)$/],
  ["an example with results beside its code", withExample({ arguments: { id: 1 }, expect: { code: "tool_failed", count: 1 } }), /^examples\.0\.expect\.count: there is no result with the code tool_failed, expected the code alone$/],
  ["an example whose arguments fit though they must not", withExample({ arguments: { id: 1 }, expect: { code: "invalid_arguments" } }), /^examples\.0\.expect\.code: the arguments fit, expected some that do not$/],
]; // prettier-ignore

describe("a declared tool is refused", () => {
  let folder = "";
  let database: Database;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "genkan-declared-"));
    const path = join(folder, "shop.db");
    using made = new DatabaseSync(path);
    made.exec(tables);
    database = await openDatabase({ path });
  });
  after(async () => {
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const list = async (
    queries: readonly (string | Partial<QueryDeclaration>)[],
    door: Omit<Declarations, "queries"> = {},
  ): Promise<readonly string[]> => {
    const declared = await openDeclared(database, {
      ...door,
      queries: queries.map((query) => ({
        name: "find",
        description: "Finds",
        statement: "",
        ...(typeof query === "string" ? { statement: query } : query),
      })),
    });
    return "faults" in declared
      ? declared.faults.map(({ path, what }) => `${path.join(".")}: ${what}`)
      : [];
  };

  for (const [group, group_rows] of Object.entries({ statements, parameters, masks, rest }))
    describe(group, () => {
      for (const [what, query, fault, door] of group_rows)
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

  const good: readonly Row[] = [
    ["values", "VALUES (1, 'a')", /./],
    ["a WITH that is not recursive", "WITH a AS (SELECT id FROM orders) SELECT * FROM a;", /./],
    ["a recursive one where it may be", "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a LIMIT 3", /./, { recursive: true }],
    ["a table that is named in other letters", "SELECT ID FROM Orders", /./, { tables: ["ORDERS"] }],
    ["a view, and by it what stands behind it", "SELECT name FROM outer_names", /./, { tables: ["outer_names"] }],
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
