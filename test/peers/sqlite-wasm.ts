/** Reads a database with SQLite's own WebAssembly build, and tells its values as Genkan's contract has them. */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import initialise, {
  type Database,
  type PreparedStatement,
  type Sqlite3Static,
} from "@sqlite.org/sqlite-wasm";
import { sanitiseText } from "../../src/gate/index.ts";
import type { Answer, Query, Value } from "../../src/sqlite/index.ts";

export class WasmReader implements Disposable {
  readonly version: string;
  readonly #sqlite: Sqlite3Static;
  readonly #database: Database;

  private constructor(sqlite: Sqlite3Static, path: string) {
    const { capi, oo1, version, wasm } = sqlite;
    const bytes = new Uint8Array(readFileSync(path));
    this.version = version.libVersion;
    this.#sqlite = sqlite;
    sqlite.config.warn = () => {}; // a statement that fails is none of the console's business
    this.#database = new oo1.DB();
    const code = capi.sqlite3_deserialize(
      this.#database,
      "main",
      wasm.allocFromTypedArray(bytes),
      bytes.length,
      bytes.length,
      capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY,
    );
    this.#database.checkRc(code);
  }

  static async open(path: string): Promise<WasmReader> {
    return new WasmReader(await initialise(), path);
  }

  /** Throws where SQLite does. */
  ask({ sql, parameters = {}, maxRows }: Query): Omit<Answer, "removed"> {
    const statement = this.#database.prepare(sql);
    try {
      for (const [name, value] of Object.entries(parameters))
        statement.bind({ [`:${name}`]: value });
      const rows: Value[][] = [];
      while (rows.length <= maxRows && statement.step()) rows.push(this.#readRow(statement));
      const hasMore = rows.length > maxRows;
      return { columns: statement.getColumnNames(), rows: rows.slice(0, maxRows), hasMore };
    } finally {
      statement.finalize();
    }
  }

  #readRow(statement: PreparedStatement): Value[] {
    return Array.from({ length: statement.columnCount }, (_, column) =>
      this.#readValue(statement, column),
    );
  }

  #readValue(statement: PreparedStatement, column: number): Value {
    const { capi } = this.#sqlite;
    switch (capi.sqlite3_column_type(statement, column)) {
      case capi.SQLITE_NULL:
        return null;
      case capi.SQLITE_INTEGER:
        return toJsonInteger(capi.sqlite3_column_int64(statement, column));
      case capi.SQLITE_FLOAT:
        return toJsonReal(capi.sqlite3_column_double(statement, column));
      case capi.SQLITE_TEXT:
        return toJsonText(statement.getBlob(column) ?? new Uint8Array());
      default:
        return toJsonBlob(statement.getBlob(column) ?? new Uint8Array());
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function toJsonInteger(value: bigint): Value {
  const isExact = BigInt(Number.MIN_SAFE_INTEGER) <= value && value <= Number.MAX_SAFE_INTEGER;
  return isExact ? Number(value) : String(value);
}

function toJsonReal(value: number): Value {
  if (value === 0) return 0; // JSON knows no -0
  return Number.isFinite(value) ? value : String(value);
}

function toJsonText(bytes: Uint8Array): Value {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const { text } = sanitiseText(decoder.decode(bytes), { maxLength: Infinity });
  return isUtf8(bytes) ? text : { text, invalid_utf8: true };
}

function toJsonBlob(bytes: Uint8Array): Value {
  return {
    blob_bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}
