// The example over a SQLite file: what `genkan check` says of it, and of it with mistakes in it.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { genkan } from "../../fixtures/command-line.ts";
import { buildShop } from "../shop/database.ts";

const text = readFileSync(new URL("genkan.yaml", import.meta.url), "utf8");

describe("genkan check", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "genkan-example-"));
    buildShop(join(folder, "shop.db"));
  });
  after(() => rmSync(folder, { recursive: true }));

  const check = (configuration: string, ...flags: readonly string[]) => {
    const file = join(folder, "genkan.yaml");
    writeFileSync(file, configuration);
    return genkan("check", file, ...flags);
  };

  test("says what is read, how, within which limits, and tries the examples", async () => {
    const { code, stdout, stderr } = await check(text);
    assert.deepEqual([code, stderr], [0, ""]);
    const [, section = ""] = /^The door shop \(sqlite\)\n(.+?)\n\n/ms.exec(stdout) ?? [];
    const facts = new Map(
      section.split("\n").map((line) => {
        const [name = "", ...rest] = line.trim().split(/ {2,}/);
        return [name, rest.join()];
      }),
    );
    assert.equal(facts.get("database"), join(folder, "shop.db"));
    assert.match(facts.get("read") ?? "", /^(?:in-place|copy)\b/);
    assert.match(facts.get("size") ?? "", /^\d+ bytes$/);
    assert.deepEqual(
      ["databaseBytes", "queryMs", "queries", "queue", "queueWaitMs", "cellBytes", "resultBytes", "inputCharacters"].map((name) => facts.get(name)),
      ["536870912", "2000", "4", "32", "5000", "1048576", "100000", "512"],
    ); // prettier-ignore
    assert.equal(
      facts.get("find_orders reads"),
      "orders (id, status, ordered_at, customer_id), customers (name, country, id), order_items (quantity, unit_price_yen, order_id)",
    );
    assert.equal(facts.get("find_orders masked"), "customers.name");
    assert.match(stdout, /^Examples\n {2}4 of 4 gave what they should$/m);
    assert.doesNotMatch(stdout, /^Warnings$/m);
  });

  test("tells an example that fails, with what is and what was expected, and ends with 4", async () => {
    const { code, stdout } = await check(text.replace("count: 33", "count: 34"));
    assert.equal(code, 4);
    assert.match(stdout, /^ {2}3 of 4 gave what they should$/m);
    assert.match(
      stdout,
      /^ {2}\S+genkan\.yaml:\d+:\d+: The example "doors\.shop\.queries\.0\.examples\.0" of find_orders fails: it gave 33 rows, expected 34$/m,
    );
  });

  test("warns of a table that is read from end to end, with the line of the plan", async () => {
    using database = new DatabaseSync(join(folder, "shop.db"));
    database.exec(`
      DROP INDEX IF EXISTS orders_by_status;
      WITH RECURSIVE c (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM c WHERE n < 12000)
      INSERT INTO orders SELECT n, 1, 'returned', '2026-01-01T00:00:00Z' FROM c;`);
    const { code, stdout } = await check(text, "--json");
    const { warnings, examples, doors } = JSON.parse(stdout);
    assert.deepEqual([code, examples.tried, examples.failures], [0, 4, []]);
    assert.equal(doors[0].facts[0].name, "database");
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0],
      /genkan\.yaml:20:20: Look at "doors\.shop\.queries\.0\.statement": it may read all of "orders", which has more than 10000 rows, expected an index that serves it; the plan says: SCAN o/,
    );
  });

  test("tells where in the file a mistake is", async () => {
    for (const [edit, sentence] of [
      [
        text.replace("o.status,", "o.state,"),
        /genkan\.yaml:20:20: Cannot use "doors\.shop\.queries\.0\.statement": SQLite refuses it: no such column: o\.state, did you mean "status"\?\n/,
      ],
      [
        text.replace("maxLength: 2", "maxLength: 600"),
        /genkan\.yaml:\d+:24: Cannot use "doors\.shop\.queries\.0\.parameters\.1\.maxLength": it is 600, expected at most 512/,
      ],
      [
        text.replace("callsPerMinute: 60", "callsPerMinute: 601"),
        /genkan\.yaml:\d+:17: Cannot use the limit "best_items\.callsPerMinute": it is 601, expected at most 600/,
      ],
      [
        text.replace("[customers, orders,", "[customer, orders,"),
        /genkan\.yaml:13:14: Cannot use "doors\.shop\.tables\.0": there is no table "customer" in the file, did you mean "customers"\?\n/,
      ],
      [
        text.replace("queryMs: 2000", "queryMs: 6000"),
        /genkan\.yaml:\d+:32: Cannot use "doors\.shop\.databaseLimits\.queryMs": it is the number 6000, expected a whole number from 1 to 5000/,
      ],
      [
        text.replace("path: shop.db", "path: ."),
        /genkan\.yaml:12:11: Cannot open the door "shop" by "doors\.shop\.path": .+ it is a directory, expected a SQLite database/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await check(edit);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, sentence);
    }
  });
});
