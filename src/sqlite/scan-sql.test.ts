// SQL is cut into tokens as SQLite cuts it: what it takes for a parameter, a text or the end of a statement is so here too.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { placeInSql, scanSql } from "./scan-sql.ts";

/** What stands there, and its tokens: names as they are, texts in quotes, parameters with their sign. */
const rows: readonly (readonly [what: string, sql: string, ...tokens: string[]])[] = [
  ["words and symbols", "SELECT a.b,1", "SELECT", "a", ".", "b", ",", "1"],
  ["a line comment", "a--b :c 'd\ne", "a", "e"],
  ["a line comment to the end", "a--b", "a"],
  ["a block comment", "a/* :b ; '*/c", "a", "c"],
  ["a block comment that seems to nest", "/* /* */ a", "a"],
  ["stars in a comment", "/***/a/**/b", "a", "b"],
  ["a text", "'a:b;--c'", "'a:b;--c'"],
  ["a text with a quote in it", "'it''s' b", "'it's'", "b"],
  ["an empty text", "''", "''"],
  ["quoted names", '"a;b" `c:d` [e--f]', "a;b", "c:d", "e--f"],
  ["quotes in quoted names", '"a""b" `c``d`', 'a"b', "c`d"],
  ["a bracket that is not doubled", "[a]]", "a", "]"],
  ["a blob", "x'ab'", "x", "'ab'"],
  ["parameters", ":a @b $c ?1 ?", ":a", "@b", "$c", "?1", "?"],
  ["a parameter with signs in it", ":a$b", ":a$b"],
  ["parameters of Tcl", "$a::b $c(d) :e::f(g)", "$a::b", "$c(d)", ":e::f(g)"],
  ["parameters that touch", ":a:b@c", ":a", ":b", "@c"],
  ["a cast is no parameter", "a :: b", "a", ":", ":", "b"],
  ["a sign alone", ": @ # ", ":", "@", "#"],
  ["numbers", "1e5 .5 0xff 1_000 1.5e-3", "1e5", ".5", "0xff", "1_000", "1.5e", "-", "3"],
  ["letters of any script", "größe 名前", "größe", "名前"],
  ["a space that is none to SQLite", "a\u00a0b", "a\u00a0b"],
  ["a byte order mark", "\ufeffSELECT", "SELECT"],
  ["operators", "a||b->>'$.c'", "a", "|", "|", "b", "-", ">", ">", "'$.c'"],
  ["a statement and its end", "SELECT 1;", "SELECT", "1", ";"],
  ["a minus is no comment", "1 - -2", "1", "-", "-", "2"],
  ["a slash is no comment", "1 / * 2", "1", "/", "*", "2"],
];

describe("scanSql()", () => {
  for (const [what, sql, ...tokens] of rows)
    test(what, () => {
      const scan = scanSql(sql);
      assert.equal(scan.trouble, undefined);
      assert.deepEqual(
        scan.tokens.map(({ kind, text }) => (kind === "text" ? `'${text}'` : text)),
        tokens,
      );
    });

  const troubles: readonly (readonly [sql: string, at: number, what: RegExp])[] = [
    ["SELECT 'a", 7, /^a text begins that does not end, expected '$/],
    ["SELECT 'a''", 7, /^a text begins/],
    ['SELECT "a', 7, /^a quoted name begins that does not end, expected "$/],
    ["SELECT [a", 7, /expected \]$/],
    ["SELECT `a", 7, /expected `$/],
    ["SELECT 1 /* a", 9, /^a comment begins that does not end, expected \*\/$/],
    ["SELECT 1 /*/", 9, /^a comment begins/],
    ["SELECT 1\0; DROP TABLE a", 8, /^there is a NUL/],
    ["SELECT 1 -- a\0\nb", 13, /^there is a NUL/],
    ["SELECT 1 /* \0 */", 9, /^there is a NUL/],
    ["SELECT 'a\0b'", 7, /^there is a NUL/],
    ['SELECT "a\0b"', 7, /^there is a NUL/],
  ];
  for (const [sql, at, what] of troubles)
    test(`${JSON.stringify(sql)} is trouble`, () => {
      const { trouble } = scanSql(sql);
      assert.equal(trouble?.at, at);
      assert.match(trouble?.what ?? "", what);
    });

  test("a place is told by line and column", () => {
    assert.equal(placeInSql("SELECT\n  a", 9), "line 2, column 3 of it");
    assert.equal(placeInSql("", 0), "line 1, column 1 of it");
  });

  test("a thousand quotes take no longer than a thousand letters", () => {
    assert.equal(scanSql("'".repeat(100_000)).tokens.length, 1);
    assert.equal(scanSql("/* ".repeat(50_000)).trouble?.at, 0);
    assert.equal(scanSql("@".repeat(100_000)).tokens.length, 100_000);
  });

  test("the parameters are those that SQLite finds, in whatever text", () => {
    using database = new DatabaseSync(":memory:");
    const piece = fc.constantFrom(
      ":a", "@b", "$c", ":a1", " ", "\n", "'", "''", '"', "[", "]", "`", "--", "/*", "*/", "/", "*", "-", ";", ",", "1", "x", "+", "(", ")", "\t",
      "\u00e9", ":é",
    ); // prettier-ignore
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const sql = `SELECT 1, ${pieces.join("")}`;
        const expanded = expandBySqlite(database, sql);
        if (expanded !== undefined) assert.equal(expandByScan(sql), expanded, sql);
      }),
      { numRuns: 3000 },
    );
  });
});

/** SQLite writes NULL where a parameter stands that nothing is bound to. */
function expandBySqlite(database: DatabaseSync, sql: string): string | undefined {
  try {
    return database.prepare(sql).expandedSQL;
  } catch {
    return undefined; // no statement to SQLite
  }
}

/** Does the same by the scan, as far as the first statement goes. */
function expandByScan(sql: string): string {
  const { tokens } = scanSql(sql);
  let text = "";
  let done = 0;
  for (const token of tokens) {
    if (token.kind === "symbol" && token.text === ";") return text + sql.slice(done, token.at + 1);
    if (token.kind !== "parameter") continue;
    text += `${sql.slice(done, token.at)}NULL`;
    done = token.at + token.text.length;
  }
  return text + sql.slice(done);
}
