// What a database must have is held against what it has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectTables, readAffinity, type TableExpectation } from "./expect-tables.ts";
import type { Schema, Table } from "./database.ts";

const column = (name: string, type: string) => ({ name, type, isGenerated: false });

function table(name: string, kind: Table["kind"], ...columns: Table["columns"]): Table {
  return { name, kind, columns, definition: undefined };
}

const schema: Schema = {
  tables: [
    table("Runs", "table", column("ID", "INTEGER"), column("note", ""), column("at", "DATETIME")),
    table("seen", "view", column("id", "")),
    table("docs", "virtual", column("body", "")),
    table("docs_data", "shadow", column("block", "BLOB")),
  ],
};

test("expectTables() takes what is there, in any case of letters", () => {
  const needed: TableExpectation[] = [
    {
      name: "runs",
      columns: [
        { name: "id", affinity: ["INTEGER"] },
        { name: "note" },
        { name: "at", affinity: ["TEXT", "NUMERIC"] },
        { name: "more", affinity: ["TEXT"], isOptional: true },
      ],
    },
    { name: "later", columns: [{ name: "x" }], isOptional: true },
  ];
  expectTables(schema, needed, "/x.db");
});

test("expectTables() lists everything that is missing or different, a line for each", () => {
  const needed: TableExpectation[] = [
    {
      name: "runs",
      columns: [
        { name: "id", affinity: ["TEXT"] },
        { name: "note", affinity: ["TEXT", "REAL"], isOptional: true },
        { name: "gone" },
      ],
    },
    { name: "seen", columns: [] },
    { name: "docs", columns: [] },
    { name: "docs_data", columns: [], isOptional: true },
    { name: "nowhere", columns: [] },
  ];
  assert.throws(() => expectTables(schema, needed, "/x.db", "another"), {
    name: "UsageError",
    code: "wrong-schema",
    hint: "another",
    message:
      'Cannot use "/x.db":\n  "Runs"."id" is of the type INTEGER, expected TEXT\n' +
      '  "Runs"."note" is of no type, expected TEXT or REAL\n' +
      '  there is no column "Runs"."gone", expected one\n' +
      '  "seen" is a view, expected a plain table\n' +
      '  "docs" is a virtual table, expected a plain table\n' +
      '  "docs_data" is a shadow table of a virtual one, expected a plain table\n' +
      '  there is no table "nowhere", expected one',
  });
});

test("expectTables() tells one fault on the same line, and shows the controls of what the file says", () => {
  const tables = [table("a", "table", column("b", "X\n\u001B[31m"))];
  const needed: TableExpectation[] = [{ name: "a", columns: [{ name: "b", affinity: ["TEXT"] }] }];
  assert.throws(() => expectTables({ tables }, needed, "/x\n.db"), {
    message: String.raw`Cannot use "/x\x0a.db": "a"."b" is of the type X\x0a\x1b[31m, expected TEXT`,
  });
});

test("readAffinity() knows SQLite's five rules in their order", () => {
  const types = ["BIGINT", "CHARINT", "varchar(9)", "", "BLOB", "DOUBLE", "FLOATING POINT", "DATE"];
  assert.deepEqual(types.map(readAffinity), [
    "INTEGER",
    "INTEGER",
    "TEXT",
    "BLOB",
    "BLOB",
    "REAL",
    "INTEGER",
    "NUMERIC",
  ]);
});
