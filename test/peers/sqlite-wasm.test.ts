// SQLite's own WebAssembly build (@sqlite.org/sqlite-wasm) is asked what our readers are asked, and gives the same answers.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import {
  openDatabase,
  QueryError,
  type Answer,
  type Database,
  type Parameter,
  type Query,
} from "../../src/sqlite/index.ts";
import { makeRandomDatabase } from "./random-database.ts";
import { randomSelect } from "./random-select.ts";
import { createRandom, type Random } from "./seeded-random.ts";
import { WasmReader } from "./sqlite-wasm.ts";

const seeds = [1, 2, 3, 4, 5, 6];
const selects = 100;
const maxRows = 40;
const parameters: readonly Parameter[] = [
  null,
  true,
  false,
  0,
  1,
  -7,
  2 ** 31,
  2 ** 53 - 1,
  0.5,
  -123.456, // not 1e300: the binding of sqlite-wasm makes it the whole number 0
  5e-324,
  2n ** 63n - 1n,
  -(2n ** 63n),
  9_007_199_254_740_993n,
  "",
  "1",
  "O'Brien",
  "日本語 👩‍👩‍👧",
];

describe("@sqlite.org/sqlite-wasm", () => {
  for (const seed of seeds) {
    test(`answers ${selects} SELECTs over the database of seed ${seed} as a reader does`, async (context) => {
      const random = createRandom(seed);
      await using pair = await openPair(context, random);
      let failures = 0;
      for (let count = 0; count < selects; count += 1) {
        const isAnswered = await pair.compare({ sql: randomSelect(pair.tables, random), maxRows });
        if (!isAnswered) failures += 1;
      }
      assert.ok(failures < selects / 4, `${failures} of ${selects} have no answer`);
    });
  }

  test("takes each parameter for what a reader takes it", async (context) => {
    await using pair = await openPair(context, createRandom(7));
    const sql =
      "SELECT :value AS v, typeof(:value) AS kind, :value || '' AS text, :value = id AS same, id FROM t0 ORDER BY id";
    for (const value of parameters)
      assert.ok(await pair.compare({ sql, parameters: { value }, maxRows }), String(value));
  });
});

/** One database, and both who read it. */
async function openPair(context: TestContext, random: Random) {
  const folder = mkdtempSync(join(tmpdir(), "genkan-wasm-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "random.db");
  const tables = makeRandomDatabase(path, random);
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await openDatabase({ path }));
  const wasm = opening.use(await WasmReader.open(path));
  if (wasm.version !== process.versions.sqlite)
    context.diagnostic(`SQLite ${wasm.version} beside SQLite ${process.versions.sqlite}`);
  const opened = opening.move();
  return {
    tables,
    /** Gives whether there is an answer, which both must give or neither. */
    async compare(query: Query): Promise<boolean> {
      const expected = askWasm(wasm, query);
      const answer = await ask(database, query);
      assert.deepEqual(answer?.rows, expected?.rows, query.sql);
      assert.equal(answer?.hasMore, expected?.hasMore, query.sql);
      assert.equal(answer?.columns.length, expected?.columns.length, query.sql);
      return expected !== undefined;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Gives `undefined` where SQLite finds no answer. */
async function ask(database: Database, query: Query): Promise<Answer | undefined> {
  try {
    return await database.read((read) => read(query));
  } catch (error) {
    if (error instanceof QueryError && error.kind === "refused") return undefined;
    throw error;
  }
}

function askWasm(wasm: WasmReader, query: Query): ReturnType<WasmReader["ask"]> | undefined {
  try {
    return wasm.ask(query);
  } catch (error) {
    if (error instanceof Error && error.name === "SQLite3Error") return undefined;
    throw error;
  }
}
