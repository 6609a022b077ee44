// What the statements read, and how: never what is the operator's, and no more than the run that is asked for.

import assert from "node:assert/strict";
import { DatabaseSync, constants } from "node:sqlite";
import { describe, test } from "node:test";
import { makeRun, openProbe, type OpenProbe } from "../../fixtures/aio-probe.ts";
import { makeStatements, runDetails, type Layout } from "./statements.ts";
import { createTables } from "./tables.ts";

const newest: Layout = { hasSnapshots: true, runDetails };
const oldest: Layout = { hasSnapshots: false, runDetails: [] };

/** Every statement by its place, such as `snapshot.tally`. */
function listStatements(layout: Layout): readonly (readonly [name: string, sql: string])[] {
  return Object.entries(makeStatements(layout)).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === "string") return [[name, value] as const];
    return Object.entries(value).map(([part, sql]) => [`${name}.${part}`, sql as string] as const);
  });
}

const run = makeRun(1, { informational: "+-x", commercial: "?." });

describe("no statement", () => {
  test("names what is the operator's alone", () => {
    for (const [name, sql] of [...listStatements(newest), ...listStatements(oldest)])
      assert.doesNotMatch(sql, /error_text|raw_path|\*(?!\))/, name);
  });

  test("reads it, does more than read, or recurses, as SQLite's own authorizer is asked", async () => {
    await using probe = await openProbe(run);
    for (const layout of [newest, oldest])
      for (const [name, sql] of listStatements(layout)) {
        const examination = await probe.aio.database.examine(sql);
        assert.equal(examination.refusal, undefined, name);
        assert.deepEqual(examination.otherActions, [], name);
        assert.equal(examination.isRecursive, false, name);
        const columns = examination.reads.map(({ column }) => column);
        assert.ok(columns.length > 0 && !columns.some(isOperators), `${name}: ${columns.join()}`);
      }
  });

  test("is even prepared to read it, by an authorizer of this test", () => {
    using database = new DatabaseSync(":memory:");
    database.exec(createTables);
    const reads: string[] = [];
    database.setAuthorizer((action, table, column) => {
      if (action === constants.SQLITE_READ) reads.push(`${table}.${column}`);
      return constants.SQLITE_OK;
    });
    for (const [, sql] of listStatements(newest)) database.prepare(sql);
    assert.ok(reads.includes("observations.status"));
    assert.deepEqual(
      reads.filter((read) => isOperators(read.split(".")[1] ?? "")),
      [],
    );
  });
});

function isOperators(column: string): boolean {
  return column === "error_text" || column === "raw_path";
}

/** A hundred runs of a thousand keywords: 10^5 observations, and as many citations. */
const big = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO keywords SELECT i, 'keyword ' || i, 'commercial' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
INSERT INTO runs (id, started_at, completed_at, status) SELECT i, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'completed' FROM n;
INSERT INTO run_keywords SELECT runs.id, keywords.id, keyword, bucket FROM runs, keywords;
INSERT INTO observations (run_id, keyword_id, status, aio_present, fetched_at, error_text, raw_path)
  SELECT run_id, keyword_id, 'ok', keyword_id % 2, '2026-01-01T00:00:00Z', 'SECRET', '/SECRET' FROM run_keywords;
INSERT INTO citations SELECT id, 1, 'https://a.example/', 'a.example', 'A' FROM observations;
INSERT INTO organic_results SELECT id, 1, 'https://a.example/', 'a.example', 'A' FROM observations;
`;

/** Those that read all keywords of today, for a run without its own; and the bounded count of runs. */
const whole: ReadonlySet<string> = new Set([
  "runCount",
  "current.any",
  "current.targets",
  "current.page",
]);

/** Those of tables without a key, where no plan is good. */
const isOfDoubles = (name: string): boolean => name.endsWith(".tallyOnce");

describe("with 100 000 observations", () => {
  for (const [what, more] of [
    ["as written", ""],
    ["with the statistics of ANALYZE", "ANALYZE"],
  ] as const)
    test(`${what}, no statement reads a whole table that it could search, or sorts`, async () => {
      await using probe = await openProbe(`${big}; ${more}`);
      assert.deepEqual(probe.reports, []);
      for (const [name, sql] of listStatements(newest)) {
        if (isOfDoubles(name)) continue;
        const { plan } = await probe.aio.database.examine(sql);
        const tables = plan.filter((line) => /^SCAN (?!seen|\(subquery|CONSTANT)/.test(line));
        assert.deepEqual(whole.has(name) ? [] : tables, [], name);
        assert.deepEqual(
          plan.filter((line) => /AUTOMATIC|TEMP B-TREE FOR (?!GROUP BY)/.test(line)),
          [],
          name,
        );
      }
    });
});

const withoutIndexes = createTables
  .replaceAll(/CREATE INDEX[^;]*;/g, "")
  .replaceAll(/,\n\s*PRIMARY KEY[^\n]*\n\) WITHOUT ROWID/g, ")")
  .replaceAll(" UNIQUE", "")
  .replaceAll(/INTEGER PRIMARY KEY/g, "INTEGER");

describe("a column that somebody has added, whatever its name, changes no answer", () => {
  const aliases = listStatements(newest).flatMap(([, sql]) => sql.match(/(?<= AS )\w+/g) ?? []);

  /** Gives each table a column of each name that a statement gives to something. */
  function addColumns(database: DatabaseSync): void {
    const tables =
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    for (const { name: table } of database.prepare(tables).all()) {
      const info = database.prepare("SELECT name FROM pragma_table_info(?)").all(String(table));
      const free = new Set(aliases).difference(new Set(info.map(({ name }) => name)));
      for (const name of free)
        database.exec(`ALTER TABLE ${String(table)} ADD COLUMN "${name}" INTEGER;
          UPDATE ${String(table)} SET "${name}" = abs(random() % 5)`);
    }
  }

  const rows = `${run}; ${makeRun(2, { commercial: "-+" })}; INSERT INTO citations VALUES (1, 1, 'https://a.example/', 'a.example', 'A')`;
  for (const [what, more] of [
    ["with a snapshot of the keywords", ""],
    ["with the keywords of today", "; DELETE FROM run_keywords"],
    [
      "in a table without a key",
      "; CREATE TABLE keys AS SELECT * FROM run_keywords; INSERT INTO keys SELECT * FROM run_keywords; DROP TABLE run_keywords; ALTER TABLE keys RENAME TO run_keywords",
    ],
  ] as const)
    test(what, async () => {
      assert.ok(aliases.includes("place") && aliases.includes("outcome"));
      await using plain = await openProbe(rows + more);
      await using fuller = await openProbe((database) => {
        database.exec(rows + more);
        addColumns(database);
      });
      assert.deepEqual(await askAll(fuller), await askAll(plain));
    });
});

test("a database without an index gives the same answers, and the operator is told what it lacks", async () => {
  const rows = `${run}; ${makeRun(2, { commercial: "-+" })}; UPDATE observations SET id = rowid;
    INSERT INTO citations VALUES (1, 1, 'https://a.example/', 'a.example', 'A')`;
  await using indexed = await openProbe(rows);
  await using plain = await openProbe(rows, { tables: withoutIndexes });
  assert.deepEqual(await askAll(plain), await askAll(indexed));
  assert.deepEqual(indexed.reports, []);
  const lacking = plain.reports.map(
    (text) => /in its table (\w+) .*CREATE (?:UNIQUE )?INDEX/.exec(text)?.[1],
  );
  assert.deepEqual(
    new Set(lacking),
    new Set(["citations", "keywords", "observations", "organic_results", "run_keywords", "runs"]),
  );
});

test("a small database with the statistics of ANALYZE lacks no index", async () => {
  await using probe = await openProbe(`${run}; ANALYZE`);
  assert.deepEqual(probe.reports, []);
});

test("a database in rollback mode and one in WAL mode, its log full or empty, give the same answers", async () => {
  const rows = `${run}; ${makeRun(2, { commercial: "-+" })}`;
  await using still = await openProbe(rows);
  const expected = await askAll(still);
  assert.equal(still.aio.database.way, "in-place");
  await using logged = await openProbe(`PRAGMA journal_mode = WAL; ${rows}`);
  assert.deepEqual(await askAll(logged), expected);
  using writer = new DatabaseSync(logged.path);
  writer.exec("PRAGMA wal_autocheckpoint = 0; UPDATE runs SET note = 'in the log' WHERE id = 1");
  const runs = await logged.ask("list_runs");
  assert.equal(runs.items[1].note, "in the log");
  assert.equal(logged.aio.database.way, "copy");
  writer.exec("UPDATE runs SET note = NULL");
  assert.deepEqual(await askAll(logged), expected);
});

async function askAll(probe: OpenProbe): Promise<readonly unknown[]> {
  return [
    await probe.ask("list_runs"),
    await probe.ask("compare_buckets"),
    await probe.ask("compare_buckets", { run_id: 1 }),
    await probe.ask("get_keyword_evidence", { keyword: "informational 1", run_id: 1 }),
    await probe.ask("get_keyword_evidence", { keyword: "Commercial 2" }),
  ];
}
