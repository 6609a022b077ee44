import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { createTemporaryShop } from "./database.ts";
import { isStatus, mostOrders, openShop, type Shop } from "./queries.ts";

let place: ReturnType<typeof createTemporaryShop>;
let shop: Shop;

before(() => {
  place = createTemporaryShop();
  shop = openShop(place.path);
});

after(() => {
  shop[Symbol.dispose]();
  place.remove();
});

test("countOrders() counts all orders, or those with one status", () => {
  assert.equal(shop.countOrders(), 300);
  assert.equal(shop.countOrders("shipped"), 33);
});

test("listStatuses() follows the life of an order", () => {
  assert.deepEqual(shop.listStatuses(), [
    { status: "pending", count: 11 },
    { status: "paid", count: 21 },
    { status: "shipped", count: 33 },
    { status: "delivered", count: 193 },
    { status: "cancelled", count: 26 },
    { status: "returned", count: 16 },
  ]);
});

test("listStatuses() lists a status that no order has", () => {
  const changed = createTemporaryShop();
  try {
    {
      using database = new DatabaseSync(changed.path);
      database.exec("UPDATE orders SET status = 'paid' WHERE status = 'pending'");
    }
    using emptied = openShop(changed.path);
    assert.deepEqual(emptied.listStatuses().slice(0, 2), [
      { status: "pending", count: 0 },
      { status: "paid", count: 32 },
    ]);
    assert.equal(emptied.countOrders("pending"), 0);
  } finally {
    changed.remove();
  }
});

test("findOrders() gives whole orders and counts those beyond the limit", () => {
  assert.deepEqual(shop.findOrders("佐藤 花子", 1), {
    total: 5,
    orders: [
      {
        id: 273,
        customer: "佐藤 花子",
        status: "paid",
        ordered_at: "2026-07-29T23:15:40Z",
        total_yen: 3 * 1650 + 2 * 620 + 2 * 2650,
        items: [
          { name: "Furoshiki wrapping cloth", quantity: 3, unit_price_yen: 1650 },
          { name: "Soy sauce dish", quantity: 2, unit_price_yen: 620 },
          { name: "Maneki-neko cat", quantity: 2, unit_price_yen: 2650 },
        ],
      },
    ],
  });
});

test("findOrders() finds a part of a name, of several customers too", () => {
  const { total, orders } = shop.findOrders("佐藤", mostOrders);
  assert.equal(total, orders.length);
  assert.deepEqual(
    new Set(orders.map((order) => order.customer)),
    new Set(["佐藤 花子", "佐藤 健"]),
  );
});

test("findOrders() gives the newest first, and the lower id of two in one second", () => {
  const { orders } = shop.findOrders("", mostOrders);
  const sorted = orders.toSorted((a, b) => {
    if (a.ordered_at === b.ordered_at) return a.id - b.id;
    return a.ordered_at < b.ordered_at ? 1 : -1;
  });
  assert.deepEqual(orders, sorted);
  assert.deepEqual(
    orders.slice(0, 3).map((order) => order.id),
    [299, 300, 298],
  );
  assert.equal(orders[0]?.ordered_at, orders[1]?.ordered_at);
});

test("findOrders() takes upper and lower case for the same in every script", () => {
  for (const [asked, name] of [
    ["HANNAH", "Hannah Miller"],
    ["élodie", "Élodie Lefèvre"],
    ["łukasz", "Łukasz Wiśniewski"],
    ["ШЕВЧЕНКО", "Олена Шевченко"],
    ["A\u030Asa", "Åsa Lindström"], // A and its ring as two code points
    ["佐藤\u3000花子", "佐藤 花子"], // the wide space of Japanese keyboards
  ] as const) {
    assert.equal(shop.findOrders(asked, 1).orders[0]?.customer, name, asked);
  }
});

test("findOrders() takes wildcards, backslashes, quotes and NUL as themselves", () => {
  for (const [asked, names] of [
    ["%", ["100% Papier GmbH"]],
    ["％", ["100% Papier GmbH"]],
    ["_", ["studio_kiwi"]],
    ["O'B", ["James O'Brien"]],
    ["1%P", []],
    ["Hanna_", []],
    ["\\", []],
    ["\0", []],
    ["' OR 1=1 --", []],
  ] as const) {
    const { total, orders } = shop.findOrders(asked, mostOrders);
    assert.equal(total, orders.length);
    assert.deepEqual(
      [...new Set(orders.map((order) => order.customer))],
      names,
      JSON.stringify(asked),
    );
  }
});

test("findOrders() finds nothing for a customer who has not ordered yet", () => {
  assert.deepEqual(shop.findOrders("João Silva", 10), { total: 0, orders: [] });
});

test("findOrders() takes a limit from 1 to mostOrders", () => {
  for (const limit of [1, 2, mostOrders - 1, mostOrders]) {
    const { total, orders } = shop.findOrders("", limit);
    assert.deepEqual([total, orders.length], [300, limit]);
  }
  for (const limit of [-1, 0, 1.5, mostOrders + 1, Number.NaN]) {
    assert.throws(
      () => shop.findOrders("", limit),
      {
        name: "UsageError",
        code: "limit-out-of-range",
        message: `Cannot find "${limit}" orders: it is no number of orders given at once, expected a whole number from 1 to 50`,
      },
      String(limit),
    );
  }
});

test("openShop() leaves the file as it is", () => {
  const own = createTemporaryShop();
  try {
    const untouched = readFileSync(own.path);
    {
      using opened = openShop(own.path);
      opened.findOrders("", mostOrders);
    }
    assert.deepEqual(readFileSync(own.path), untouched);
  } finally {
    own.remove();
  }
});

test("openShop() refuses a missing file and a file of another kind, with a hint", () => {
  for (const path of [join(place.path, "..", "missing.db"), import.meta.filename]) {
    assert.throws(() => openShop(path), {
      name: "UsageError",
      code: "not-a-shop",
      message: /^Cannot open the shop ".+": .+, expected a file made by buildShop\(\)$/,
      hint: 'buildShop("shop.db")',
    });
  }
});

test("a shop may be disposed of twice, and is closed then", () => {
  const closing = openShop(place.path);
  closing[Symbol.dispose]();
  closing[Symbol.dispose]();
  assert.throws(() => closing.countOrders());
});

test("isStatus() knows the statuses and nothing else", () => {
  assert.ok(isStatus("pending") && isStatus("returned"));
  for (const value of ["", "Pending", "lost", 0, undefined, null, ["paid"]])
    assert.ok(!isStatus(value));
});
