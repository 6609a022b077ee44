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
      return new QueryError("cell-too-large", "A row is too large");
    case "sqlite": {
      const primary = failure.code & 0xff;
      const state = states.get(primary);
      if (state !== undefined) return new QueryError("database-unavailable", state);
      if (!failure.isPrepared && isAboutStatement(failure.text, sql))
        return refused(sanitiseText(failure.text, { lines: false, maxLength: 200 }).text);
      return refused(fixedTexts.has(failure.text) ? failure.text : "SQLite cannot run it");
    }
  }
}

function refused(what: string): QueryError {
  return new QueryError("refused", `Cannot run the query: ${what}`);
}

/** SQLite's primary result codes. @see https://sqlite.org/rescode.html */
const states = new Map([
  [10, "The database cannot be read: its disk gives errors"],
  [11, "The database is damaged"],
  [14, "The database cannot be opened"],
  [26, "The file is no database any more, or it is encrypted"],
]);

/** Whether every name that SQLite quotes stands in the statement, so that none comes from the database. */
function isAboutStatement(text: string, sql: string): boolean {
  const form = forms.map((known) => known.exec(text)).find((match) => match !== null);
  return form?.slice(1).every((name) => sql.includes(name)) === true;
}

const forms = [
  /^no such (?:table|column|function|collation sequence): (.+)$/s,
  /^near "(.+)": syntax error$/s,
  /^ambiguous column name: (.+)$/s,
  /^(?:wrong number of arguments to|misuse of aggregate|misuse of window) function (.+)\(\)$/s,
  /^access to (.+) is prohibited$/s,
  /^not authorized to use function: (.+)$/s,
  /^(?:incomplete input|not authorized)$/,
];

const fixedTexts = new Set([
  "integer overflow",
  "string or blob too big",
  "LIKE or GLOB pattern too complex",
  "ESCAPE expression must be a single character",
  "malformed JSON",
  "out of memory",
  "not authorized",
]);
