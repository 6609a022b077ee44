// The door `aio` of a configuration, as `genkan check` explains it and `genkan serve` opens it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { genkan, genkanWords } from "../../../fixtures/command-line.ts";
import { createSample } from "../../aio/index.ts";
import { connect } from "../../index.ts";

/** A folder with the sample and a configuration whose door has these keys. */
async function openHouse(keys: string) {
  const folder = mkdtempSync(join(tmpdir(), "genkan-door-"));
  const path = join(folder, "aio.db");
  const file = join(folder, "genkan.yaml");
  await createSample(path, { runs: 3, keywords: 20 });
  writeFileSync(file, `name: probe\ndoors:\n  rates:\n    kind: aio\n${keys}`);
  return { folder, path, file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

test("check prints the database, how it is read, and its limits", async () => {
  using house = await openHouse("    path: aio.db\n    databaseLimits: { queryMs: 1000 }\n");
  const { code, stdout, stderr } = await genkan("check", house.file);
  assert.deepEqual([code, stderr], [0, ""]);
  for (const name of ["list_runs", "compare_buckets", "get_keyword_evidence"])
    assert.match(stdout, new RegExp(`^  ${name} +read +door rates \\(aio\\)`, "m"));
  const rows = stdout.split("\n");
  const start = rows.indexOf("The door rates (aio)");
  const facts = rows
    .slice(start + 1, rows.indexOf("", start))
    .map((row) => row.trim().split(/ {2,}/));
  assert.deepEqual(Object.fromEntries(facts), {
    database: house.path,
    read: "in-place: where it is, without a lock",
    size: `${statSync(house.path).size} bytes`,
    databaseBytes: "536870912",
    queryMs: "1000",
    queries: "4",
    queue: "32",
    queueWaitMs: "5000",
    cellBytes: "1048576",
    resultBytes: "100000",
    inputCharacters: "512",
  });
});

test("serve answers from it, with the buckets and the tools that are named", async () => {
  using house = await openHouse(
    "    path: aio.db\n    buckets: [d, c, b, a]\n    tools: [compare_buckets]\n",
  );
  const [command = "", ...args] = genkanWords(["serve", house.file]);
  await using client = await connect({ command, args });
  assert.deepEqual(
    (await client.listTools()).map(({ name }) => name),
    ["compare_buckets"],
  );
  const { structuredContent } = await client.callTool("compare_buckets");
  assert.partialDeepStrictEqual(structuredContent, {
    ok: true,
    data: { buckets: [{ bucket: "d" }, { bucket: "c" }, { bucket: "b" }, { bucket: "a" }] },
  });
});

test("an index that is missing is warned about", async () => {
  using house = await openHouse("    path: aio.db\n");
  {
    using database = new DatabaseSync(house.path);
    database.exec("DROP INDEX observations_by_run");
  }
  const { code, stdout } = await genkan("check", house.file);
  assert.equal(code, 0);
  assert.match(stdout, /^Warnings\n(?: {2}.+\n)* {2}.*genkan\.yaml:5:11.*index/m);
});

for (const [what, keys, said] of [
  [
    "a path where nothing is",
    "    path: none.db\n",
    /genkan\.yaml:5:11: Cannot open the door "rates" by "doors\.rates\.path": ".+none\.db": there is no such file/,
  ],
  [
    "four buckets of which two are the same",
    "    path: aio.db\n    buckets: [a, a, b, c]\n",
    /genkan\.yaml:6:14: Cannot open the door "rates" by "doors\.rates\.buckets": .+expected four different names/,
  ],
  [
    "a limit upwards",
    "    path: aio.db\n    databaseLimits: { queue: 33 }\n",
    /genkan\.yaml:6:30: Cannot use "doors\.rates\.databaseLimits\.queue": it is the number 33, expected a whole number from 1 to 32/,
  ],
  [
    "a key that is none",
    "    path: aio.db\n    bucket: [a]\n",
    /Cannot use "doors\.rates\.bucket": there is no such key, did you mean "buckets"\?/,
  ],
] as const) {
  test(`${what} is refused with its place`, async () => {
    using house = await openHouse(keys);
    const { code, stdout, stderr } = await genkan("check", house.file);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, said);
  });
}
