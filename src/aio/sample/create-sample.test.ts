import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createSample, sampleLimits, type SampleOptions } from "./create-sample.ts";
import { createKeywords } from "./keywords.ts";

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "genkan-sample-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** Makes a sample and asks it. */
function ask(options: SampleOptions, sql: string): readonly Record<string, unknown>[] {
  using place = openFolder();
  const path = join(place.folder, "aio.db");
  createSample(path, options);
  using database = new DatabaseSync(path, { readOnly: true });
  return database
    .prepare(sql)
    .all()
    .map((row) => Object.fromEntries(Object.entries(row)));
}

test("createSample() gives the same bytes for the same numbers, and others for others", () => {
  using place = openFolder();
  const bytes = [{}, { runs: 8, keywords: 200 }, { runs: 7, keywords: 200 }].map(
    (options, index) => {
      const path = join(place.folder, `${index}.db`);
      createSample(path, options);
      return readFileSync(path);
    },
  );
  assert.ok(bytes[0]!.equals(bytes[1]!));
  assert.ok(!bytes[0]!.equals(bytes[2]!));
  assert.deepEqual(readdirSync(place.folder).toSorted(), ["0.db", "1.db", "2.db"]);
});

test("createSample() makes a sound rollback-mode database that counts what it says", () => {
  using place = openFolder();
  const path = join(place.folder, "a b?c#d%e.db");
  const summary = createSample(path, { runs: 9, keywords: 100 });
  assert.deepEqual([...readFileSync(path).subarray(18, 20)], [1, 1]);
  using database = new DatabaseSync(path, { readOnly: true });
  const get = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  assert.equal(get("PRAGMA integrity_check"), "ok");
  assert.equal(get("PRAGMA foreign_key_check"), undefined);
  assert.deepEqual(summary, {
    runs: get("SELECT count(*) FROM runs"),
    keywords: get("SELECT count(*) FROM keywords"),
    observations: get("SELECT count(*) FROM observations"),
  });
});

test("the newest runs are one that goes on, one that saw nothing, and two that ended at the same moment", () => {
  const runs = ask(
    { runs: 8, keywords: 50 },
    `SELECT id, status, completed_at IS NULL AS open, (SELECT count(*) FROM observations WHERE run_id = runs.id) AS seen,
      completed_at = lag(completed_at) OVER (ORDER BY id) AS tie FROM runs ORDER BY id`,
  );
  assert.deepEqual(
    runs.map(({ status, open, seen, tie }) => [status, open, Number(seen) > 0, tie === 1]),
    [
      ["completed", 0, true, false],
      ["failed", 1, true, false],
      ["cancelled", 1, true, false],
      ["completed", 0, true, false],
      ["completed", 0, true, false],
      ["completed", 0, true, true],
      ["completed", 0, false, false],
      ["running", 1, true, false],
    ],
  );
});

test("one run alone is complete", () => {
  assert.deepEqual(ask({ runs: 1, keywords: 1 }, "SELECT status, completed_at, device FROM runs"), [
    { status: "completed", completed_at: "2026-01-05T06:01:02Z", device: "desktop" },
  ]);
});

test("buckets differ in their rate, some keywords have none, and some change theirs between runs", () => {
  const rates = ask(
    { runs: 3, keywords: 2000 },
    `SELECT bucket, avg(aio_present) AS rate, sum(status = 'failed') > 0 AS fails, sum(status = 'ok' AND aio_present IS NULL) > 0 AS unknown
      FROM observations JOIN run_keywords USING (run_id, keyword_id) WHERE run_id = 1 GROUP BY bucket ORDER BY rate DESC`,
  );
  const named = rates.filter(({ bucket }) => bucket !== null);
  assert.deepEqual(
    named.map(({ bucket }) => bucket),
    ["informational", "commercial", "transactional", "navigational"],
  );
  assert.equal(rates.length, 5);
  assert.ok(rates.every(({ fails }) => fails === 1) && rates.some(({ unknown }) => unknown === 1));
  const [changed] = ask(
    { runs: 8, keywords: 200 },
    `SELECT count(*) AS n FROM run_keywords AS a JOIN run_keywords AS b USING (keyword_id)
      WHERE a.run_id = 1 AND b.run_id = 8 AND a.bucket <> b.bucket`,
  );
  assert.ok(Number(changed?.["n"]) > 5);
});

test("every site is one that can never be, and links hold what a tool must take away", () => {
  const [odd] = ask(
    {},
    "SELECT count(*) AS n FROM organic_results WHERE domain NOT LIKE '%.example'",
  );
  assert.deepEqual(odd, { n: 0 });
  const [links] = ask(
    {},
    `SELECT sum(url LIKE '%?%') > 0 AS queries, sum(url LIKE '%#%') > 0 AS fragments, sum(url LIKE '%@%') > 0 AS owners,
      sum(title IS NULL) > 0 AS untitled, max(position) AS deepest FROM organic_results`,
  );
  assert.deepEqual(links, { queries: 1, fragments: 1, owners: 1, untitled: 1, deepest: 120 });
});

test("as many keywords as there may be are all different, in two languages", () => {
  const texts = createKeywords(sampleLimits.keywords).map(({ text }) => text);
  assert.equal(new Set(texts).size, sampleLimits.keywords);
  assert.ok(texts.includes("やかん 使い方") && texts.includes("best rice cooker"));
});

test("createSample() overwrites nothing, and leaves nothing where it fails", () => {
  using place = openFolder();
  const path = join(place.folder, "aio.db");
  writeFileSync(path, "mine");
  assert.throws(() => createSample(path), {
    code: "file-exists",
    message: `Cannot make the database "${path}": "${path}" is there already, expected a free path`,
  });
  assert.equal(readFileSync(path, "utf8"), "mine");
  assert.deepEqual(readdirSync(place.folder), ["aio.db"]);
  assert.throws(() => createSample(join(place.folder, "none", "aio.db")), {
    code: "cannot-write",
    message: /its folder is not there, expected one$/,
  });
});

for (const [options, said] of [
  [{ runs: 0 }, "Cannot make a sample of 0 runs, expected a whole number from 1 to 1000"],
  [{ runs: 1001 }, "Cannot make a sample of 1001 runs, expected a whole number from 1 to 1000"],
  [
    { keywords: 1.5 },
    "Cannot make a sample of 1.5 keywords, expected a whole number from 1 to 100000",
  ],
  [
    { keywords: 100_001 },
    "Cannot make a sample of 100001 keywords, expected a whole number from 1 to 100000",
  ],
  [
    { runs: 13, keywords: 100_000 },
    "Cannot make a sample of 1300000 observations, expected a whole number from 1 to 1200000",
  ],
] as const) {
  test(`createSample() refuses ${JSON.stringify(options)}`, () => {
    using place = openFolder();
    assert.throws(() => createSample(join(place.folder, "aio.db"), options), {
      code: "bad-sample",
      message: said,
    });
    assert.deepEqual(readdirSync(place.folder), []);
  });
}
