/** Opens a file with every layer, and prepares statements on it. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Allowance } from "../query.ts";
import { createAuthorizer, toRights } from "./authorizer.ts";
import { layers as allLayers, type Layer } from "./layers.ts";
import { openFile, readRows, toArray } from "./open-file.ts";
import { readText } from "./read-text.ts";
import { connectModules, listPresent } from "./schema-names.ts";

export interface Handle extends Disposable {
  /** Throws a `StatementError`, or SQLite's own error. */
  prepare(sql: string, allows: Allowance): Prepared;
}

export interface Prepared {
  /** As SQLite names them: two may be the same. */
  readonly columns: readonly string[];
  /** With their sign. */
  readonly parameters: readonly string[];
  /** Runs it, and gives its rows as arrays. Until they are read, or left, no other statement may be prepared or run. */
  run(parameters: Bindings): Iterable<unknown>;
  /** Runs it again, and gives some of its columns as bytes. */
  readBytes(columns: readonly number[], parameters: Bindings, maxRows: number): BytesRead;
}

export type Bindings = Record<string, SQLInputValue>;

export interface BytesRead {
  readonly rows: readonly (readonly unknown[])[];
  /** The one that the database has for all its texts, such as `UTF-16le`. */
  readonly encoding: string;
}

/** @param layers every layer; a test takes some away */
export function openHandle(file: string, layers: readonly Layer[] = allLayers): Handle {
  const database = openFile(file, layers);
  const isTextRead = layers.some((layer) => layer.readsText === true);
  const encoding = String(readRows(database, "PRAGMA encoding")[0]?.[0]);
  const allow = layers.some(({ authorizes }) => authorizes === true)
    ? authorize(database)
    : () => () => {};

  const compile = (sql: string, allows: Allowance): Compiled => {
    const hold = allow(allows);
    hold();
    const statement = database.prepare(sql);
    return {
      statement,
      run: (parameters) => {
        hold();
        return statement.iterate(parameters);
      },
    };
  };
  const prepare: Handle["prepare"] = (sql, allows) => {
    const parameters = isTextRead ? readText(sql) : [];
    const { statement, run } = compile(sql, allows);
    const columns = statement.columns().map(({ name }) => name);
    return {
      columns,
      parameters,
      run,
      readBytes: (wanted, bindings, maxRows) => {
        const again = compile(castToBytes(statement.sourceSQL, columns.length, wanted), allows);
        const rows: (readonly unknown[])[] = [];
        for (const row of again.run(bindings)) {
          if (rows.length === maxRows) break;
          rows.push(toArray(row));
        }
        return { rows, encoding };
      },
    };
  };

  return {
    prepare,
    [Symbol.dispose]: () => {
      database.close();
    },
  };
}

interface Compiled {
  readonly statement: StatementSync;
  readonly run: Prepared["run"];
}

/** Gives what each statement is compiled with: a function that says, whenever it is prepared or run, what it may do. */
function authorize(database: DatabaseSync): (allows: Allowance) => () => void {
  connectModules(database);
  const present = listPresent(database);
  let now = toRights({}, present);
  database.setAuthorizer(createAuthorizer(() => now));
  return (allows) => {
    const rights = toRights(allows, present);
    return () => {
      now = rights;
    };
  };
}

/** Wraps a statement, so that its own names for its columns, of which two may be the same, do not matter. */
function castToBytes(sql: string, columns: number, wanted: readonly number[]): string {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const casts = wanted.map((column) => `CAST(c${column} AS BLOB)`);
  return `WITH genkan_answer(${names.join(", ")}) AS MATERIALIZED (
${sql.replace(/;$/, "")}
) SELECT ${casts.join(", ")} FROM genkan_answer`;
}
