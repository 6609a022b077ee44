import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { buildShop, createTemporaryShop } from "./database.ts";

// Every row of every table; the order of the columns makes the order of the rows.
const dump = {
  customers: "SELECT id, name, country FROM customers ORDER BY id",
  items: "SELECT id, name, price_yen FROM items ORDER BY id",
  statuses: "SELECT status, place, meaning FROM statuses ORDER BY place",
  orders: "SELECT id, customer_id, status, ordered_at FROM orders ORDER BY id",
  order_items:
    "SELECT order_id, item_id, quantity, unit_price_yen FROM order_items ORDER BY order_id, item_id",
};

test("buildShop() writes the known number of rows", () => {
  inShop((database) => {
    const counts = Object.entries(dump).map(([table, query]) => [
      table,
      database.prepare(query).all().length,
    ]);
    assert.deepEqual(Object.fromEntries(counts), {
      customers: 40,
      items: 25,
      statuses: 6,
      orders: 300,
      order_items: 732,
    });
  });
});

test("buildShop() writes the same data on every machine", () => {
  inShop((database) => {
    const hash = createHash("sha256");
    for (const query of Object.values(dump)) {
      for (const row of database.prepare(query).all())
        hash.update(`${JSON.stringify(Object.values(row))}\n`);
    }
    assert.equal(
      hash.digest("hex"),
      "3b85fecc657e0627f949efb941ed76354abf6685b5718172c3b8287652e30d2d",
    );
  });
});

test("buildShop() writes the same file twice", () => {
  const [one, two] = [createTemporaryShop(), createTemporaryShop()];
  try {
    assert.deepEqual(readFileSync(one.path), readFileSync(two.path));
  } finally {
    one.remove();
    two.remove();
  }
});

test("buildShop() writes rows that keep their references and the rules of the shop", () => {
  inShop((database) => {
    const isEmpty = (query: string) => assert.deepEqual(database.prepare(query).all(), [], query);
    isEmpty("PRAGMA foreign_key_check");
    isEmpty("SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM order_items)");
    isEmpty(
      "SELECT id FROM orders WHERE ordered_at NOT GLOB '2026-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z'",
    );
    isEmpty("SELECT id FROM items WHERE price_yen % 10 <> 0");
    assert.deepEqual(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
  });
});

test("buildShop() describes each table inside its own statement, where SQLite keeps it", () => {
  inShop((database) => {
    const tables = database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    assert.deepEqual(
      tables.map((table) => table["name"]),
      Object.keys(dump).toSorted(),
    );
    for (const { sql } of tables) assert.match(String(sql), /^CREATE TABLE \w+ \(\n {2}-- [A-Z]/);
  });
});

test("buildShop() refuses a path that is taken, and leaves the file alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-shop-test-"));
  const path = join(folder, "taken.db");
  try {
    writeFileSync(path, "mine");
    assert.throws(() => buildShop(path), {
      name: "UsageError",
      code: "file-exists",
      message: `Cannot build the shop "${path}": a file is there, expected a free path`,
      hint: `Choose another path, or delete the file first: rm "${path}"`,
    });
    assert.equal(readFileSync(path, "utf8"), "mine");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("createTemporaryShop() removes the file and its folder, and may do so twice", () => {
  const shop = createTemporaryShop();
  assert.ok(existsSync(shop.path));
  shop.remove();
  assert.ok(!existsSync(dirname(shop.path)));
  shop.remove();
});

function inShop(look: (database: DatabaseSync) => void): void {
  const shop = createTemporaryShop();
  try {
    using database = new DatabaseSync(shop.path, { readOnly: true });
    look(database);
  } finally {
    shop.remove();
  }
}
