/** Builds the shop: a small SQLite database whose data is the same on every run. */

import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UsageError } from "genkan";

/** The statuses of an order, in the order of its life, and what each one means. */
export const statuses = [
  { status: "pending", meaning: "waits for the customer's payment" },
  { status: "paid", meaning: "waits for us to pack it" },
  { status: "shipped", meaning: "is on its way" },
  { status: "delivered", meaning: "has arrived" },
  { status: "cancelled", meaning: "was called off before it was shipped" },
  { status: "returned", meaning: "came back after it was delivered" },
] as const;

export type Status = (typeof statuses)[number]["status"];

// The comments stand inside the statements because SQLite keeps them there: `.schema` shows them.
const schema = `
CREATE TABLE customers (
  -- Who buys. A name is kept as its owner writes it, in any script.
  id      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL,
  country TEXT NOT NULL CHECK (length(country) = 2)   -- ISO 3166-1: JP, DE, …
) STRICT;

CREATE TABLE items (
  -- What is for sale, at today's price.
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  price_yen INTEGER NOT NULL CHECK (price_yen > 0)    -- the yen has no smaller unit
) STRICT;

CREATE TABLE statuses (
  -- Where an order can be in its life; a status without orders is listed here all the same.
  status  TEXT PRIMARY KEY,
  place   INTEGER NOT NULL UNIQUE,                    -- 1 comes first
  meaning TEXT NOT NULL                               -- "the order …"
) STRICT;

CREATE TABLE orders (
  -- One purchase of one customer.
  id          INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  status      TEXT NOT NULL REFERENCES statuses (status),
  ordered_at  TEXT NOT NULL                           -- UTC, as 2026-03-14T09:26:53Z: sorts as text
) STRICT;

CREATE TABLE order_items (
  -- What one order contains, at the price of that day: it may differ from today's.
  order_id       INTEGER NOT NULL REFERENCES orders (id),
  item_id        INTEGER NOT NULL REFERENCES items (id),
  quantity       INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_yen INTEGER NOT NULL CHECK (unit_price_yen > 0),
  PRIMARY KEY (order_id, item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX orders_by_customer ON orders (customer_id, ordered_at);
CREATE INDEX orders_by_status   ON orders (status);
CREATE INDEX order_items_by_item ON order_items (item_id);
`;

/**
 * Creates the shop as a new file at `path`, in one transaction.
 *
 * Throws a `UsageError` (`file-exists`) when something is there already: it is never overwritten.
 */
export function buildShop(path: string): void {
  // An absolute path, so that SQLite takes neither ":memory:" nor "file:…" for anything but a file's name.
  const file = resolve(path);
  claimPath(file);
  try {
    using database = new DatabaseSync(file);
    database.exec("BEGIN");
    database.exec(schema);
    fillShop(database);
    database.exec("COMMIT");
  } catch (error) {
    rmSync(file, { force: true }); // half a shop would be refused by the next attempt
    throw error;
  }
}

/** Builds the shop in a temporary folder of its own; `remove()` deletes both. */
export function createTemporaryShop(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "genkan-shop-"));
  const path = join(folder, "shop.db");
  buildShop(path);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Creates the empty file, or refuses: asking first and creating later would leave a gap in between. */
function claimPath(file: string): void {
  try {
    closeSync(openSync(file, "wx"));
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    throw new UsageError(
      "file-exists",
      `Cannot build the shop "${file}": a file is there, expected a free path`,
      {
        hint: `Choose another path, or delete the file first: rm "${file}"`,
        cause,
      },
    );
  }
}

const customers = {
  JP: [
    "佐藤 花子",
    "鈴木 一郎",
    "高橋 美咲",
    "田中 健太",
    "伊藤 さくら",
    "渡辺 翔",
    "山本 結衣",
    "佐藤 健",
  ],
  KR: ["김민준", "이서연", "박지훈"],
  CN: ["王芳", "李伟", "张敏"],
  DE: ["Jürgen Müller", "Anna Schäfer", "Lukas Weiß", "100% Papier GmbH"],
  FR: ["Élodie Lefèvre", "Hugo Martin", "Chloé Dubois"],
  ES: ["Lucía Fernández", "Iñigo Muñoz"],
  PL: ["Łukasz Wiśniewski", "Zofia Kowalska"],
  UA: ["Олена Шевченко", "Тарас Бондаренко"],
  GR: ["Ελένη Παπαδοπούλου"],
  EG: ["ليلى حسن", "عمر خالد"],
  IN: ["प्रिया शर्मा", "अर्जुन पटेल"],
  VN: ["Nguyễn Thị Lan"],
  TR: ["Ayşe Yılmaz"],
  US: ["Hannah Miller", "James O'Brien", "studio_kiwi"],
  SE: ["Åsa Lindström"],
  BR: ["João Silva", "Beatriz Souza"],
} as const;

const items = [
  ["Sencha green tea, 100 g", 1280],
  ["Hojicha roasted tea, 100 g", 980],
  ["Matcha powder, 40 g", 2400],
  ["Iron teapot", 8900],
  ["Tea cup, Arita porcelain", 3200],
  ["Bamboo tea whisk", 2750],
  ["Furoshiki wrapping cloth", 1650],
  ["Tenugui hand towel", 1100],
  ["Noren door curtain", 6800],
  ["Genkan shoe rack", 12800],
  ["House slippers", 2980],
  ["Shoehorn, cherry wood", 1450],
  ["Umbrella stand", 5400],
  ["Paper umbrella", 7600],
  ["Wind chime, glass", 1980],
  ["Lacquer bowl", 4300],
  ["Chopsticks, pair", 890],
  ["Chopstick rest", 450],
  ["Soy sauce dish", 620],
  ["Santoku kitchen knife", 14800],
  ["Washi paper, 20 sheets", 1320],
  ["Calligraphy brush", 2200],
  ["Ink stone", 3900],
  ["Incense, sandalwood", 1540],
  ["Maneki-neko cat", 2650],
] as const;

const orderCount = 300;

/** Writes every row. The order of the calls of `below` is part of the data: changing it changes the shop. */
function fillShop(database: DatabaseSync): void {
  const insertCustomer = database.prepare("INSERT INTO customers (name, country) VALUES (?, ?)");
  const insertItem = database.prepare("INSERT INTO items (name, price_yen) VALUES (?, ?)");
  const insertStatus = database.prepare(
    "INSERT INTO statuses (status, place, meaning) VALUES (?, ?, ?)",
  );
  const insertOrder = database.prepare(
    "INSERT INTO orders (id, customer_id, status, ordered_at) VALUES (?, ?, ?, ?)",
  );
  const insertOrderItem = database.prepare(
    "INSERT INTO order_items (order_id, item_id, quantity, unit_price_yen) VALUES (?, ?, ?, ?)",
  );

  const people = Object.entries(customers).flatMap(([country, names]) =>
    names.map((name) => ({ name, country })),
  );
  for (const { name, country } of people) insertCustomer.run(name, country);
  for (const [name, price] of items) insertItem.run(name, price);
  for (const [index, { status, meaning }] of statuses.entries())
    insertStatus.run(status, index + 1, meaning);

  const below = seedGenerator(2026);
  const buyers = people.length - 2; // the last two have not ordered anything yet
  let customer = 1;
  let seconds = Date.UTC(2026, 0, 5) / 1000;
  for (let order = 1; order <= orderCount; order++) {
    // Every fiftieth order comes in the same second as the one before, so that sorting by time alone is not enough.
    if (order % 50 !== 0) {
      customer = 1 + below(buyers);
      seconds += 600 + below(136_000);
    }
    const orderedAt = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
    insertOrder.run(order, customer, pickStatus(orderCount - order, below), orderedAt);

    const chosen = new Set<number>();
    for (let picks = 1 + below(4); picks > 0; picks--) chosen.add(below(items.length));
    for (const [index, [, price]] of items.entries()) {
      if (!chosen.has(index)) continue;
      const onSale = below(8) === 0; // a tenth off; every price is a multiple of ten
      insertOrderItem.run(order, index + 1, 1 + below(3), onSale ? price - price / 10 : price);
    }
  }
}

/** Gives a status that suits the age of an order, counted in the orders that came after it. */
function pickStatus(age: number, below: (limit: number) => number): Status {
  const chance = below(100);
  if (chance < 9) return "cancelled";
  if (age < 25) return chance < 60 ? "pending" : "paid";
  if (age < 70) return chance < 35 ? "paid" : "shipped";
  return chance < 17 ? "returned" : "delivered";
}

/**
 * Returns a generator of whole numbers from 0 to `limit` - 1 that gives the same ones for the same seed, everywhere.
 *
 * It is mulberry32 (Tommy Ettinger, public domain): 32 bits of state, good enough for a shop, never for a secret.
 */
function seedGenerator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
