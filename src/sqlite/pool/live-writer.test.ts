// A program writes the database without a pause: no one is in the other's way, and every answer is true.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { makeShedOf } from "../../../fixtures/sqlite/shed.ts";
import { startWriter } from "../../../fixtures/sqlite/start-writer.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";

// The ten thousand of the issue take minutes: GENKAN_READS=5000 node --test src/sqlite/pool/live-writer.test.ts
const reads = Number(process.env["GENKAN_READS"] ?? 200);

/** Two questions of one read, whose answers only agree where they are of one committed state. */
async function count(database: Database): Promise<number> {
  const [rows, totals] = await database.read(async (ask) => [
    await ask({
      sql: "SELECT count(*), coalesce(max(n), 0), coalesce(sum(n), 0) FROM t",
      maxRows: 1,
    }),
    await ask({ sql: "SELECT n FROM totals", maxRows: 1 }),
  ]);
  const [total] = totals?.rows[0] ?? [];
  assert.ok(typeof total === "number");
  assert.deepEqual(rows?.rows[0], [total, total, (total * (total + 1)) / 2]);
  return total;
}

for (const journal of ["WAL", "DELETE"])
  test(`${reads} reads while a program writes in the mode ${journal}`, async () => {
    using shed = makeShedOf("CREATE TABLE other (a)");
    using writer = await startWriter(shed.file, journal);
    await using database = await openDatabase({ path: shed.file });
    let left = reads;
    let latest = 0;
    const first = await count(database);
    const readAll = async (): Promise<void> => {
      while (left-- > 0) {
        const before = latest;
        const total = await count(database);
        assert.ok(total >= before, `${total} were there, and ${before} before that`);
        latest = Math.max(latest, total);
      }
    };
    await Promise.all([readAll(), readAll(), readAll(), readAll(), readAll(), readAll()]);
    assert.ok(latest > first);
    const { written, errors } = await writer.stop();
    assert.deepEqual(errors, []);
    assert.equal(await count(database), written);
    assert.deepEqual(readdirSync(shed.folder), ["main.db"]); // the writer took its log with it
  });
