import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { makeRun, openProbe } from "../../fixtures/aio-probe.ts";
import { createServer } from "../server/index.ts";
import { openGate } from "../gate/index.ts";
import { openPeer } from "../../fixtures/wire-script.ts";
import { openAio } from "./index.ts";
import { createTables } from "./tables.ts";

const run = makeRun(1, { informational: "+-" });

describe("openAio() refuses", () => {
  for (const [what, tables, message] of [
    [
      "a database of something else, and lists all that is missing",
      "CREATE TABLE notes (id INTEGER)",
      /^Cannot use ".*probe.db":\n {2}there is no table "runs", expected one\n {2}there is no table "keywords", .*\n.*"observations".*\n.*"citations".*\n.*"organic_results", expected one$/,
    ],
    [
      "a table without a column",
      createTables.replace("  device       TEXT,\n", ""),
      /there is no column "runs"."device", expected one/,
    ],
    [
      "a column of another type",
      createTables.replace("position       INTEGER", "position       TEXT"),
      /"citations"."position" is of the type TEXT, expected INTEGER/,
    ],
    [
      "a view in a table's place",
      `${createTables} ALTER TABLE keywords RENAME TO words; CREATE VIEW keywords AS SELECT * FROM words`,
      /"keywords" is a view, expected a plain table/,
    ],
    [
      "a view in the place of the table that may be missing",
      `${createTables} DROP TABLE run_keywords; CREATE VIEW run_keywords AS SELECT 1 AS run_id, id AS keyword_id, keyword, bucket FROM keywords`,
      /"run_keywords" is a view, expected a plain table/,
    ],
    [
      "a virtual table",
      `${createTables} DROP TABLE citations; CREATE VIRTUAL TABLE citations USING fts5(observation_id, position, url, domain, title)`,
      /"citations" is a virtual table, expected a plain table/,
    ],
    [
      "a snapshot that lacks a column",
      createTables.replace("  bucket     TEXT,\n  PRIMARY", "  PRIMARY"),
      /there is no column "run_keywords"."bucket", expected one/,
    ],
  ] as const)
    test(what, async () => {
      await assert.rejects(openProbe("", { tables }), {
        code: "wrong-schema",
        message,
        hint: /^docs\/aio-probe\.md has the schema; .+ kind: sqlite/,
      });
    });

  test("what is no database", async () => {
    await using probe = await openProbe(run);
    const text = join(probe.folder, "text.db");
    writeFileSync(text, "no database at all ".repeat(100));
    for (const path of [text, join(probe.folder, "none.db"), probe.folder])
      await assert.rejects(openAio({ path }), { code: "cannot-open-database" });
  });
});

describe("openAio() takes", () => {
  test("a database that has no more than what is asked for, and types of other dialects", async () => {
    const tables = `
      CREATE TABLE Runs (ID BIGINT PRIMARY KEY, Started_At DATETIME, completed_at TIMESTAMP, status VARCHAR(20), engine TEXT, locale TEXT, device TEXT, note TEXT);
      CREATE TABLE keywords (id INTEGER PRIMARY KEY, keyword VARCHAR, bucket VARCHAR);
      CREATE TABLE Observations (ID INTEGER PRIMARY KEY, Run_Id INT, keyword_id INT, Status TEXT, aio_present BOOLEAN, fetched_at DATETIME);
      CREATE TABLE citations (Observation_ID INT, Position INT, URL TEXT, Domain TEXT, Title TEXT);
      CREATE TABLE organic_results (observation_id INT, position INT, url TEXT, domain TEXT, title TEXT)`;
    const rows = `
      INSERT INTO runs VALUES (1, '2026-01-01 00:00:00', '2026-01-01 01:00:00', 'completed', NULL, NULL, NULL, NULL);
      INSERT INTO keywords VALUES (1, 'tea', 'commercial'), (2, 'coffee', 'commercial');
      INSERT INTO observations VALUES (1, 1, 1, 'ok', TRUE, '2026-01-01 00:30:00');
      INSERT INTO citations VALUES (1, 1, 'https://a.example/', 'a.example', 'A')`;
    await using probe = await openProbe(rows, { tables });
    const { buckets, keywords_from } = await probe.ask("compare_buckets");
    assert.equal(keywords_from, "current");
    assert.deepEqual([buckets[1].n_targets, buckets[1].n_total, buckets[1].n_aio], [2, 1, 1]);
    const { items } = await probe.ask("list_runs");
    assert.deepEqual([items[0].run_id, items[0].aio_present], [1, 1]);
    const told = await probe.ask("get_keyword_evidence", { keyword: "tea" });
    const { run: shown, observation, citations } = told;
    const cited = { position: 1, url: "https://a.example/", domain: "a.example", title: "A" };
    assert.deepEqual(citations.items, [cited]);
    assert.deepEqual(
      [shown.started_at, shown.location, observation.fetched_at],
      ["2026-01-01 00:00:00", null, "2026-01-01 00:30:00"],
    );
  });

  test("lower limits, and no higher ones", async () => {
    await using probe = await openProbe(run, { limits: { resultBytes: 9_000, queries: 1 } });
    assert.equal(probe.aio.database.limits.resultBytes, 9_000);
    await assert.rejects(openAio({ path: probe.path, limits: { queries: 5 } }), {
      code: "invalid-limit",
    });
  });
});

test("the three tools say that they read only, destroy nothing, may be repeated, and stay within the database", async () => {
  await using probe = await openProbe(run);
  await using gate = openGate({ stateDir: join(probe.folder, "state") });
  const server = createServer({ name: "aio", version: "1" });
  gate.addTo(server, probe.aio.tools);
  const peer = await openPeer(server, "2025-11-25");
  const { result } = await peer.request("tools/list");
  await peer.close();
  const hints = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  assert.deepEqual(
    result.tools.map((tool: { name: string; annotations: object }) => [
      tool.name,
      tool.annotations,
    ]),
    ["list_runs", "compare_buckets", "get_keyword_evidence"].map((name) => [name, hints]),
  );
});

describe("the limits of the database hold for its tools", () => {
  test("resultBytes: fewer items, or a refusal that names it", async () => {
    const rows = Array.from({ length: 40 }, (_, index) => makeRun(index + 1, { commercial: "+" }));
    for (const resultBytes of [100_000, 12_000, 6_000, 300]) {
      await using probe = await openProbe(rows.join(";\n"), { limits: { resultBytes } });
      for (const [tool, args] of [
        ["list_runs", { limit: 100 }],
        ["compare_buckets", {}],
        ["get_keyword_evidence", { keyword: "commercial 1" }],
      ] as const) {
        const { ok, code, data, message } = await probe.call(tool, args);
        if (ok) assert.ok(Buffer.byteLength(JSON.stringify(data)) <= resultBytes, tool);
        else {
          assert.equal(code, "result_too_large");
          assert.match(message, /^The result has \d+ bytes, and may have \d+ \(resultBytes\)$/);
        }
        assert.equal(ok, resultBytes > 300, `${tool} within ${resultBytes}`);
      }
    }
  });

  test("inputCharacters: at the limit, and one more", async () => {
    await using probe = await openProbe(run, { limits: { inputCharacters: 15 } });
    const found = await probe.call("get_keyword_evidence", { keyword: "informational 1" });
    assert.deepEqual([found.code, "informational 1".length], ["ok", 15]);
    const { code } = await probe.call("get_keyword_evidence", { keyword: "informational 12" });
    assert.equal(code, "invalid_arguments");
  });
});

test("a call is refused after close()", async () => {
  await using probe = await openProbe(run);
  await probe.aio.close();
  const { ok, code } = await probe.call("compare_buckets");
  assert.deepEqual([ok, code], [false, "unavailable"]);
});

test("a call is refused, and says what to do, where the tables are others than at the start", async () => {
  await using probe = await openProbe(run);
  using writer = new DatabaseSync(probe.path);
  writer.exec("ALTER TABLE observations RENAME TO seen");
  const { code, message, hint } = await probe.call("compare_buckets");
  assert.deepEqual(
    [code, message],
    ["tool_failed", "Cannot run the query: no such table: observations"],
  );
  assert.match(hint, /has to be started again/);
  writer.exec("ALTER TABLE seen RENAME TO observations");
  assert.equal((await probe.call("compare_buckets")).ok, true);
});

test("openAio() takes a path from the folder of the process", async () => {
  await using probe = await openProbe(run);
  const aio = await openAio({ path: relative(process.cwd(), probe.path) });
  assert.equal(aio.database.path, probe.path);
  await aio.close();
});
