/** Reads the shop: a few questions, each a prepared statement on a database opened read-only. */

import { resolve } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { UsageError } from "genkan";
import { type Status, statuses } from "./database.ts";

/** The most orders `findOrders()` gives at once: an answer has to fit into a model's context. */
export const mostOrders = 50;

/** Disposing of it closes the file. */
export interface Shop extends Disposable {
  /** Counts the orders, all of them or those with one status. */
  countOrders(status?: Status): number;
  /** Counts the orders of every status, in the order of an order's life, those with none included. */
  listStatuses(): readonly StatusCount[];
  /**
   * Finds orders by a part of the customer's name, newest first (of one second: the lower id first).
   *
   * Upper and lower case are the same, in every script; `%` and `_` stand for themselves; an empty part is in every name.
   * `total` counts all that match, `orders` holds at most `limit` of them.
   * Throws a `UsageError` (`limit-out-of-range`) for a `limit` that is not a whole number from 1 to `mostOrders`.
   */
  findOrders(customer: string, limit: number): FoundOrders;
}

export interface StatusCount {
  readonly status: Status;
  readonly count: number;
}

export interface FoundOrders {
  readonly total: number;
  readonly orders: readonly Order[];
}

export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly status: Status;
  /** UTC, ISO 8601 with seconds: 2026-03-14T09:26:53Z. */
  readonly ordered_at: string;
  readonly total_yen: number;
  readonly items: readonly OrderItem[];
}

export interface OrderItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_price_yen: number;
}

/**
 * Opens a file made by `buildShop()`, for reading only.
 *
 * Throws a `UsageError` (`not-a-shop`) when there is no such file, or something else in it.
 */
export function openShop(path: string): Shop {
  const file = resolve(path);
  try {
    return readShop(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      "not-a-shop",
      `Cannot open the shop "${file}": ${reason}, expected a file made by buildShop()`,
      {
        hint: 'buildShop("shop.db")',
        cause,
      },
    );
  }
}

/** Tells whether a value is one of the statuses an order can have. */
export function isStatus(value: unknown): value is Status {
  return statuses.some(({ status }) => status === value);
}

function readShop(file: string): Shop {
  using opening = new DisposableStack();
  const database = opening.use(new DatabaseSync(file, { readOnly: true }));
  // SQLite's own LIKE knows upper and lower case of A to Z only; names have more letters than that.
  database.function("fold", { deterministic: true }, (text) => foldText(String(text)));

  const countAll = database.prepare("SELECT count(*) AS count FROM orders");
  const countOfStatus = database.prepare("SELECT count(*) AS count FROM orders WHERE status = ?");
  const countByStatus = database.prepare(`
    SELECT statuses.status, count(orders.id) AS count
    FROM statuses LEFT JOIN orders ON orders.status = statuses.status
    GROUP BY statuses.status
    ORDER BY statuses.place`);
  const newestOfCustomer = database.prepare(String.raw`
    SELECT orders.id, customers.name AS customer, orders.status, orders.ordered_at, count(*) OVER () AS total
    FROM orders JOIN customers ON customers.id = orders.customer_id
    WHERE fold(customers.name) LIKE ? ESCAPE '\'
    ORDER BY orders.ordered_at DESC, orders.id
    LIMIT ?`);
  const itemsOfOrder = database.prepare(`
    SELECT items.name, order_items.quantity, order_items.unit_price_yen
    FROM order_items JOIN items ON items.id = order_items.item_id
    WHERE order_items.order_id = ?
    ORDER BY items.id`);
  const open = opening.move();

  return {
    countOrders(status) {
      const row = status === undefined ? countAll.get() : countOfStatus.get(status);
      return readInteger(row, "count");
    },
    listStatuses() {
      return countByStatus
        .all()
        .map((row) => ({ status: readStatus(row), count: readInteger(row, "count") }));
    },
    findOrders(customer, limit) {
      refuseLimit(limit);
      const rows = newestOfCustomer.all(`%${escapeWildcards(foldText(customer))}%`, limit);
      const orders = rows.map((row) => {
        const id = readInteger(row, "id");
        const items = itemsOfOrder.all(id).map(readOrderItem);
        return {
          id,
          customer: readText(row, "customer"),
          status: readStatus(row),
          ordered_at: readText(row, "ordered_at"),
          total_yen: items.reduce((sum, item) => sum + item.quantity * item.unit_price_yen, 0),
          items,
        };
      });
      return { total: rows.length === 0 ? 0 : readInteger(rows[0], "total"), orders };
    },
    [Symbol.dispose]: () => open.dispose(),
  };
}

function refuseLimit(limit: number): void {
  // SQLite reads a negative limit as "no limit".
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostOrders) return;
  throw new UsageError(
    "limit-out-of-range",
    `Cannot find "${limit}" orders: it is no number of orders given at once, expected a whole number from 1 to ${mostOrders}`,
    {
      hint: `findOrders(customer, ${mostOrders})`,
    },
  );
}

/** Makes texts that a person takes for the same the same: letters typed as one or two code points, wide or narrow. */
function foldText(text: string): string {
  // LIKE ends its pattern at a NUL, which would leave a lone `%` that matches everything.
  return text.normalize("NFKC").toLowerCase().replaceAll("\0", "\uFFFD");
}

function escapeWildcards(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

type Row = Readonly<Record<string, SQLOutputValue>>;

function readOrderItem(row: Row): OrderItem {
  return {
    name: readText(row, "name"),
    quantity: readInteger(row, "quantity"),
    unit_price_yen: readInteger(row, "unit_price_yen"),
  };
}

function readStatus(row: Row): Status {
  const value = row["status"];
  if (isStatus(value)) return value;
  throw new TypeError(
    `Cannot read the column "status": ${String(value)}, expected a status of an order`,
  );
}

function readText(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`Cannot read the column "${column}": ${typeof value}, expected text`);
}

function readInteger(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value === "number") return value;
  throw new TypeError(`Cannot read the column "${column}": ${typeof value}, expected an integer`);
}
