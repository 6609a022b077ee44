/** Opens a file with every layer, and prepares statements on it. */

import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { Allowance } from "../query.ts";
import { createAuthorizer, toRights } from "./authorizer.ts";
import { layers as allLayers, type Layer } from "./layers.ts";
import { openFile, readRows, toArray } from "./open-file.ts";
import { readText } from "./read-text.ts";
import { connectModules, listTables } from "./schema-names.ts";

export interface Handle extends Disposable {
  /** Throws a `StatementError`, or SQLite's own error. */
  prepare(sql: string, allows: Allowance): Prepared;
}

export interface Prepared {
  readonly statement: StatementSync;
  /** As SQLite names them: two may be the same. */
  readonly columns: readonly string[];
  /** With their colon. */
  readonly parameters: readonly string[];
  /** Runs it again, and gives some of its columns as bytes. */
  readBytes(columns: readonly number[], parameters: Bindings, maxRows: number): BytesRead;
}

export type Bindings = Record<string, SQLInputValue>;

export interface BytesRead {
  readonly rows: readonly (readonly unknown[])[];
  /** The one that the database has for all its texts, such as `UTF-16le`. */
  readonly encoding: string;
}

/** How many prepared statements are kept: stops a reader from growing with each new text. */
const maxStatements = 64;

/** @param layers every layer; a test takes some away */
export function openHandle(file: string, layers: readonly Layer[] = allLayers): Handle {
  const database = openFile(file, layers);
  const isAuthorized = layers.some(({ authorizes }) => authorizes === true);
  const isTextRead = layers.some((layer) => layer.readsText === true);
  if (isAuthorized) connectModules(database);
  const tables = isAuthorized ? listTables(database) : [];
  const encoding = String(readRows(database, "PRAGMA encoding")[0]?.[0]);

  const compile = (sql: string, allows: Allowance): StatementSync => {
    if (isAuthorized) database.setAuthorizer(createAuthorizer(toRights(allows, tables)));
    return database.prepare(sql);
  };
  const prepare = (sql: string, allows: Allowance): Prepared => {
    const parameters = isTextRead ? readText(sql) : [];
    const statement = compile(sql, allows);
    const columns = statement.columns().map(({ name }) => name);
    return {
      statement,
      columns,
      parameters,
      readBytes: (wanted, bindings, maxRows) => {
        const text = castToBytes(statement.sourceSQL, columns.length, wanted);
        const rows: (readonly unknown[])[] = [];
        for (const row of compile(text, allows).iterate(bindings)) {
          if (rows.length === maxRows) break;
          rows.push(toArray(row));
        }
        return { rows, encoding };
      },
    };
  };

  const kept = new Map<string, Prepared>();
  return {
    prepare: (sql, allows) => {
      const key = JSON.stringify([sql, allows]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const prepared = prepare(sql, allows);
      const [oldest] = kept.keys();
      if (kept.size >= maxStatements && oldest !== undefined) kept.delete(oldest);
      kept.set(key, prepared);
      return prepared;
    },
    [Symbol.dispose]: () => {
      database.close();
    },
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
