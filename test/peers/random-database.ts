/** Makes a database of a few tables with odd columns, and with values of every type that are easily taken for something else. */

import { DatabaseSync } from "node:sqlite";
import type { Random } from "./seeded-random.ts";

export interface RandomTable {
  readonly name: string;
  /** Beside `id`, which is its key, and `ref`, which leads to the id of another row or nowhere. */
  readonly columns: readonly string[];
}

export function makeRandomDatabase(path: string, random: Random): readonly RandomTable[] {
  using database = new DatabaseSync(path);
  database.exec(`PRAGMA page_size = ${random.pick([512, 1024, 4096, 8192, 65_536])};
    PRAGMA auto_vacuum = ${random.pick(["NONE", "FULL", "INCREMENTAL"])}; BEGIN`);
  const tables = ["t0", "t1", "t2"].map((name) => makeTable(database, name, random));
  database.exec("COMMIT");
  if (random.oneIn(3)) database.exec("ANALYZE");
  return tables;
}

function makeTable(database: DatabaseSync, name: string, random: Random): RandomTable {
  const columns = ["a", "b", "c", "d", "e"].map((letter) => `${name}${letter}`);
  const isKeyed = random.oneIn(3); // WITHOUT ROWID: the rows stand in the index
  const definitions = columns.map((column) => `${column} ${random.pick(types)}`);
  const generated = `${name}g GENERATED ALWAYS AS (${columns[0]} || '/' || id) ${random.pick(["VIRTUAL", "STORED"])}`;
  database.exec(
    `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ref INTEGER, ${[...definitions, generated].join(", ")})${isKeyed ? " WITHOUT ROWID" : ""}`,
  );
  for (const column of columns.filter(() => random.oneIn(3)))
    database.exec(
      `CREATE INDEX ${column}_index ON ${name} (${column} COLLATE ${random.pick(collations)}, ref)`,
    );
  const rows = 10 + random.whole(50);
  for (let id = 1; id <= rows; id += 1) {
    const ref = random.oneIn(8) ? "NULL" : String(1 + random.whole(40));
    const values = columns.map(() => randomLiteral(random));
    database.exec(
      `INSERT INTO ${name} (id, ref, ${columns.join(", ")}) VALUES (${[id, ref, ...values].join(", ")})`,
    );
  }
  return { name, columns: [...columns, `${name}g`] };
}

/** A value as it is written in SQL. */
export function randomLiteral(random: Random): string {
  return random.pick([
    () => "NULL",
    () => random.pick(integers),
    () => String(random.whole(20) - 5),
    () => random.pick(reals),
    () => String((random.whole(2_000_000) - 1_000_000) / 1000),
    () => quote(random.pick(texts)),
    () => quote(random.pick(["ant", "Ant", "bee", "BEE", "cat", "cat  ", "Dog", "élan"])),
    () => random.pick(oddTexts),
    () => random.pick(blobs),
  ])();
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export const collations = ["BINARY", "NOCASE", "RTRIM"] as const;

const types = [
  "INTEGER",
  "REAL",
  "TEXT",
  "TEXT COLLATE NOCASE",
  "TEXT COLLATE RTRIM",
  "BLOB",
  "NUMERIC",
  "",
  "VARCHAR(10)",
  "BOOLEAN",
  "DATETIME",
] as const;

const integers = [
  "0",
  "1",
  "-1",
  "2147483648",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740992",
  "9223372036854775807",
  "-9223372036854775808",
] as const;

const reals = [
  "0.0",
  "-0.0",
  "0.1",
  "1.0",
  "1e15",
  "123456789012345678.0",
  "9007199254740993.0",
  "5e-324",
  "1.7976931348623157e308",
  "9e999",
  "-9e999",
  "0.30000000000000004",
] as const;

export const jsonTexts = [
  '{"a":[1,2,{"b":null}],"c":"x"}',
  "[1,2.5,true,null,[]]",
  '{"a":9007199254740993}',
  "[]",
  '"text"',
  "not json",
] as const;

export const dateTexts = [
  "2026-02-28",
  "2024-02-29 23:59:59.999",
  "1969-12-31T12:00:00Z",
  "2026-03-29T02:30:00+02:00",
  "0000-01-01",
  "9999-12-31",
  "2451545.25",
  "2026-02-30",
  "not a date",
] as const;

const texts = [
  "",
  " ",
  "null",
  "NULL",
  "true",
  "9007199254740993",
  "007",
  "1e3",
  " 12 ",
  "12abc",
  "0x10",
  "Infinity",
  "O'Brien",
  '"quoted"',
  "50%_off",
  "line one\nline two",
  "naïve İstanbul ß",
  "日本語テキスト",
  "👩‍👩‍👧 👍🏽",
  "a".repeat(300),
  ...jsonTexts,
  ...dateTexts,
] as const;

/** Broken UTF-8, a NUL, what hides, what reverses. */
const oddTexts = [
  "CAST(x'61ff62' AS TEXT)",
  "CAST(x'c3' AS TEXT)",
  "CAST(x'eda080' AS TEXT)",
  "CAST(x'efbbbf61' AS TEXT)",
  "'a' || char(0) || 'b'",
  "'x' || char(8238) || 'y'",
  "'x' || char(65533) || 'y'",
  "char(27) || '[31mred'",
] as const;

const blobs = ["x''", "x'00'", "x'616263'", "x'ff00fe'", "zeroblob(300)"] as const;
