/** Says what a statement would do, without running it. */

import { constants, type DatabaseSync } from "node:sqlite";
import type { ColumnRead, Examination } from "../database.ts";
import type { Allowance } from "../query.ts";
import { toRights } from "./authorizer.ts";
import { openFile, readRows } from "./open-file.ts";
import { readText } from "./read-text.ts";
import { connectModules } from "./schema-names.ts";

export function examine(
  file: string,
  sql: string,
  masked: NonNullable<Allowance["masked"]> = [],
): Examination {
  using database = openFile(file);
  connectModules(database);
  const reads = new Map<string, ColumnRead>();
  const functions = new Set<string>();
  const otherActions = new Set<string>();
  let isRecursive = false;
  database.setAuthorizer((action, first, second, _database, accessor) => {
    switch (action) {
      case constants.SQLITE_SELECT:
        return constants.SQLITE_OK;
      case constants.SQLITE_READ: {
        const key = JSON.stringify([first, second, accessor]);
        const times = (reads.get(key)?.times ?? 0) + 1;
        reads.set(key, {
          table: first ?? "",
          column: second ?? "",
          via: accessor ?? undefined,
          times,
        });
        return constants.SQLITE_OK;
      }
      case constants.SQLITE_FUNCTION:
        functions.add((second ?? "").toLowerCase());
        return constants.SQLITE_OK;
      case constants.SQLITE_RECURSIVE:
        isRecursive = true;
        return constants.SQLITE_OK;
      default:
        otherActions.add(nameOfAction(action));
        return constants.SQLITE_DENY; // some pragmas act while they are prepared
    }
  });
  const recorded = (): Recorded => ({
    reads: [...reads.values()],
    functions: [...functions],
    otherActions: [...otherActions],
    isRecursive,
  });
  try {
    const parameters = readText(sql).map((name) => name.slice(1));
    const columns = database
      .prepare(sql)
      .columns()
      .map(({ name, table, column, type }) => ({
        name,
        table: table ?? undefined,
        column: column ?? undefined,
        type: type ?? undefined,
      }));
    const done = recorded(); // what follows names all of it once more
    const plan = explain(database, sql);
    const answerColumns = nameMasked(database, sql, masked) ?? columns.map(({ name }) => name);
    return { ...done, refusal: undefined, parameters, columns, answerColumns, plan };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    const isOurs = otherActions.size > 0; // it was this authorizer that refused
    const refusal = isOurs ? undefined : thrown.message;
    return { ...recorded(), refusal, parameters: [], columns: [], answerColumns: [], plan: [] };
  }
}

/** Asks SQLite what it will call the columns when some are masked. */
function nameMasked(
  database: DatabaseSync,
  sql: string,
  masked: NonNullable<Allowance["masked"]>,
): readonly string[] | undefined {
  if (masked.length === 0) return undefined;
  const { masked: names } = toRights({ masked }, none);
  database.setAuthorizer((action, first, second) =>
    action === constants.SQLITE_READ && names.has(`${first}.${second}`.toLowerCase())
      ? constants.SQLITE_IGNORE
      : constants.SQLITE_OK,
  );
  return database
    .prepare(sql)
    .columns()
    .map(({ name }) => name);
}

type Recorded = Pick<Examination, "reads" | "functions" | "otherActions" | "isRecursive">;

const names = new Map<number, string>(
  Object.entries(constants).flatMap(([name, value]) =>
    /^SQLITE_(?!OK|DENY|IGNORE|CHANGESET)/.test(name)
      ? [[value, name.slice("SQLITE_".length)]]
      : [],
  ),
);

function nameOfAction(action: number): string {
  return names.get(action) ?? `action ${action}`;
}

function explain(database: DatabaseSync, sql: string): readonly string[] {
  return readRows(database, `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.at(-1)));
}

const none = { all: new Set<string>(), served: new Set<string>() };
