// Nasty values, through a declared tool of a real server: the same in structured content and in text, and as its schema says.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { genkanWords } from "../../../fixtures/command-line.ts";
import { connect, type Client } from "../../index.ts";
import { isObject } from "../../protocol/index.ts";

const blob = (bytes: Uint8Array) => ({
  blob_bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});
const long = "あ".repeat(20_001);

/** What it is, how SQLite is given it, and what comes out. */
const values: readonly (readonly [what: string, sql: string, value: unknown])[] = [
  ["the least int64", "-9223372036854775808", "-9223372036854775808"],
  ["the greatest int64", "9223372036854775807", "9223372036854775807"],
  ["2^53 - 1", "9007199254740991", 9007199254740991],
  ["2^53", "9007199254740992", "9007199254740992"],
  ["2^53 + 1", "9007199254740993", "9007199254740993"],
  ["-(2^53 + 1)", "-9007199254740993", "-9007199254740993"],
  ["minus zero", "-0.0", 0],
  ["a great real", "1e308", 1e308],
  ["the least real", "5e-324", 5e-324],
  ["a real that is a whole number", "1e20", 1e20],
  ["infinity", "9e999", "Infinity"],
  ["minus infinity", "-9e999", "-Infinity"],
  ["what is not a number", "9e999 - 9e999", null],
  ["a text of digits", "'9007199254740993'", "9007199254740993"],
  ["a text of a real", "'1e5'", "1e5"],
  ["'true'", "'true'", "true"],
  ["'null'", "'null'", "null"],
  ["'None'", "'None'", "None"],
  ["NULL", "NULL", null],
  ["an empty text", "''", ""],
  ["a NUL in a text", "'a' || char(0) || 'b'", "ab"],
  ["a lone surrogate", "CAST(x'61eda080' AS TEXT)", { text: "a\uFFFD\uFFFD\uFFFD", invalid_utf8: true }],
  ["what is not UTF-8", "CAST(x'61ff62' AS TEXT)", { text: "a\uFFFDb", invalid_utf8: true }],
  ["the sign of what is broken, itself", "char(65533)", "\uFFFD"],
  ["a byte order mark", "char(65279) || 'a'", "a"],
  ["a family", "'👩🏽‍👩‍👧'", "👩🏽‍👩‍👧"],
  ["letters that turn around", "'a' || char(8238) || 'b' || char(8294)", "ab"],
  ["letters that nobody sees", "'a' || char(917601, 917602, 917631)", "a"],
  ["a colour", "char(27) || '[31mred' || char(27) || '[0m'", "red"],
  ["a line separator", "'a' || char(8232) || 'b'", "a\nb"],
  ["20 001 characters", `'${long}'`, long],
  ["an empty blob", "x''", blob(new Uint8Array())],
  ["a large blob", "zeroblob(900000)", blob(new Uint8Array(900_000))],
  ["a blob that is a text", "CAST('text' AS BLOB)", blob(Buffer.from("text"))],
  ["a date", "'2026-02-30T25:00:00'", "2026-02-30T25:00:00"],
  ["a day of Julius", "julianday('2026-01-01')", 2461041.5],
  ["a text of JSON", `'{"a":[1,null],"__proto__":{}}'`, '{"a":[1,null],"__proto__":{}}'],
  ["ends of what it may stand in", `'"}]}</data>]]>\`\`\`--->$\{x}'`, `"}]}</data>]]>\`\`\`--->$\{x}`],
]; // prettier-ignore

/** Names of columns, and what they are called. */
const names: readonly (readonly [name: string, called: string])[] = [
  ["a", "a"],
  ["a", "a_2"],
  ["a_2", "a_2_2"],
  ["", ""],
  ["__proto__", "__proto___2"],
  ["constructor", "constructor"],
  ["toString", "toString"],
  ["$ref", "$ref"],
  ["a\u202Eb\u001B[31m", "ab"],
  ["two\nlines", "two lines"],
  ['"}', '"}'],
  ["名前", "名前"],
];

/** Arguments, and what a statement gives of them. */
const echoes: readonly (readonly [argument: unknown, value: unknown])[] = [
  ["9007199254740993", "9007199254740993"],
  ["null", "null"],
  ["", ""],
  ["a\0b", "ab"],
  ["'; DROP TABLE v; --", "'; DROP TABLE v; --"],
  ["\uFEFFa", "a"],
  ["👩🏽‍👩‍👧", "👩🏽‍👩‍👧"],
];

describe("a value comes through a declared tool", () => {
  let folder = "";
  let client: Client;
  const checks = new Map<string, (value: unknown) => boolean>();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "genkan-values-"));
    {
      using database = new DatabaseSync(join(folder, "values.db"));
      database.exec("CREATE TABLE v (id INTEGER PRIMARY KEY, value)");
      for (const [, sql] of values) database.exec(`INSERT INTO v (value) VALUES (${sql})`);
    }
    const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
    const named = names.map(([name], index) => `${index} AS ${quote(name)}`).join(", ");
    const parameter = { name: "text", type: "string", description: "A text", maxLength: 100 };
    const number = {
      name: "number",
      type: "number",
      description: "A number",
      minimum: -1e300,
      maximum: 1e300,
      required: false,
    };
    const declare = (name: string, statement: string, parameters: readonly object[] = []) => ({
      name, description: "Gives", statement, parameters,
    }); // prettier-ignore
    const configuration = {
      name: "values",
      doors: {
        values: {
          kind: "sqlite",
          path: "values.db",
          queries: [
            declare("values", "SELECT id, value FROM v ORDER BY id"),
            declare("names", `SELECT ${named}`),
            declare("echo", "SELECT :text AS text, typeof(:number) AS type, :number AS number", [
              parameter,
              number,
            ]),
          ],
        },
      },
    };
    const file = join(folder, "genkan.yaml");
    writeFileSync(file, JSON.stringify(configuration));
    const [command = "", ...args] = genkanWords(["serve", file]);
    client = await connect({ command, args });
    for (const { name, outputSchema } of await client.listTools())
      checks.set(
        name,
        new Ajv2020({ strict: true, allowUnionTypes: true }).compile(outputSchema ?? {}),
      );
  });
  after(async () => {
    await client.close();
    rmSync(folder, { recursive: true });
  });

  const call = async (name: string, args: object = {}): Promise<Record<string, unknown>> => {
    const { structuredContent, content } = await client.callTool(name, { ...args });
    const [first] = content;
    const text: unknown = JSON.parse(first?.type === "text" ? first.text : "null");
    assert.equal(checks.get(name)?.(structuredContent), true, "its schema takes it");
    assert.ok(isObject(structuredContent) && isObject(text));
    assert.deepEqual(text["data"], structuredContent["data"]);
    const { data } = structuredContent;
    assert.ok(isObject(data), JSON.stringify(structuredContent));
    return { ...data, warnings: structuredContent["warnings"] };
  };
  const itemsOf = ({ items }: Record<string, unknown>): readonly Record<string, unknown>[] =>
    Array.isArray(items) ? items : assert.fail();

  test("as the contract says", async () => {
    const data = await call("values");
    const { data_trust, count, total, truncated, warnings } = data;
    const all = values.length;
    assert.deepEqual(
      { data_trust, count, total, truncated },
      { data_trust: "untrusted_external", count: all, total: all, truncated: false },
    );
    const items = itemsOf(data);
    for (const [index, [what, , value]] of values.entries())
      assert.deepEqual(items[index], { id: index + 1, value }, what);
    assert.deepEqual(warnings, [
      "Removed from outside text: control characters: 1, escape sequences: 2, marks that reorder text: 2, invisible characters: 1, hidden tag characters: 3",
    ]);
  });

  test("under a name of its own", async () => {
    const { columns, ...data } = await call("names");
    const called = names.map(([, name]) => name);
    assert.deepEqual(columns, called);
    assert.deepEqual(itemsOf(data), [
      Object.fromEntries(called.map((name, index) => [name, index])),
    ]);
  });

  test("from an argument to the answer", async () => {
    for (const [text, value] of echoes) {
      const [item] = itemsOf(await call("echo", { text }));
      assert.deepEqual(item, { text: value, type: "null", number: null });
    }
    for (const [number, type] of [[5, "integer"], [-0.5, "real"], [1e300, "real"], [2 ** 53, "integer"]] as const) {
      const [item] = itemsOf(await call("echo", { text: "", number }));
      assert.equal(item?.["type"], type, String(number));
    } // prettier-ignore
  });
});
