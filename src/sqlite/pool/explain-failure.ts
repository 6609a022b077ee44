/** Finds the words for a query that failed: never what stands in the database. */

import { sanitiseText } from "../../gate/index.ts";
import { QueryError } from "../query-error.ts";
import type { Failure } from "../reader/request.ts";

/** @param sql the statement, which is ours: what it says itself may be said again */
export function explainFailure(failure: Failure, sql: string, cellBytes: number): QueryError {
  switch (failure.of) {
    case "statement":
      return refused(failure.text);
    case "cell":
      return new QueryError(
        "cell-too-large",
        `A value of column ${failure.column} is larger than ${cellBytes} bytes`,
      );
    case "row":
      return new QueryError("cell-too-large", "A row is larger than an answer may be");
    case "sqlite":
      return explainSqlite(failure, sql);
  }
}

function explainSqlite(
  { code, text, isPrepared }: Extract<Failure, { of: "sqlite" }>,
  sql: string,
): QueryError {
  const primary = code & 0xff; // the rest is detail
  const state = states.get(primary);
  if (state !== undefined) return new QueryError("database-unavailable", state);
  if (primary === damaged)
    return new QueryError("database-damaged", "The database is damaged", {
      hint: "Tell the person: PRAGMA integrity_check says where",
    });
  if (primary === outOfMemory) return refused("it needs more memory than a reader has");
  if (fixedTexts.has(text) || (!isPrepared && isAboutStatement(text, sql)))
    return refused(sanitiseText(text, { lines: false, maxLength: 200 }).text);
  return refused("SQLite refuses it");
}

function refused(what: string): QueryError {
  return new QueryError("refused", `Cannot run the query: ${what}`);
}

/** SQLite's primary result codes. @see https://sqlite.org/rescode.html */
const states = new Map([
  [10, "The database cannot be read: its disk gives errors"],
  [14, "The database cannot be opened"],
  [26, "The file is no database any more, or it is encrypted"],
]);

const outOfMemory = 7;
const damaged = 11;

/**
 * Whether every name that SQLite quotes stands in the statement, so that none comes from the database: a broken view would
 * tell of what it reads.
 */
function isAboutStatement(text: string, sql: string): boolean {
  for (const form of forms) {
    const names = form.exec(text)?.slice(1);
    if (names === undefined) continue;
    const parts = names.flatMap((name) => name.split("."));
    return parts.every((part) => part === "main" || sql.includes(part));
  }
  return false;
}

/** What SQLite says while it prepares a statement, and where in it the names are. */
const forms = [
  /^no such (?:table|function|collation sequence|module|index): (.+)$/s,
  /^no such column: "?(.+?)"?(?: - should this be a string literal in single-quotes\?)?$/s,
  /^near "(.+)": syntax error$/s,
  /^ambiguous column name: (.+)$/s,
  /^wrong number of arguments to function (.+)\(\)$/s,
  /^misuse of (?:aggregate|window function|aggregate function):? (.+)\(\)$/s,
  /^access to (.+) is prohibited$/s,
  /^not authorized to use function: (.+)$/s,
  /^no tables specified$/,
  /^Expression tree is too large \(maximum depth \d+\)$/,
  /^too many (?:columns in result set|terms in (?:compound SELECT|ORDER BY clause|GROUP BY clause))$/,
  /^at most \d+ tables in a join$/,
  /^incomplete input$/,
  /^(?:all VALUES must have the same number of terms|SELECTs to the left and right of (?:UNION ALL|UNION|EXCEPT|INTERSECT) do not have the same number of result columns)$/,
];

/** What SQLite says in these very words, whatever stands in the database. */
const fixedTexts = new Set([
  "ESCAPE expression must be a single character",
  "JSON cannot hold BLOB values",
  "LIKE or GLOB pattern too complex",
  "integer overflow",
  "malformed JSON",
  "not authorized",
  "string or blob too big",
  "too many SQL variables",
  "parser stack overflow",
]);
