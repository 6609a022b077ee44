/** The database that every server is asked about, what it is asked, and which answer is right. */

import { DatabaseSync } from "node:sqlite";

export interface Item {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly stock: number;
  readonly made_at: string;
}

export interface Question {
  readonly tool: string;
  readonly description: string;
  /** With one parameter, `?`. */
  readonly sql: string;
  readonly parameter: string;
  /** The arguments it is asked for: 1 to this. */
  readonly most: number;
  /** How long it may take, where a server knows deadlines. */
  readonly deadlineMs?: number;
  listAnswer(argument: number): readonly Item[];
}

const itemCount = 10_000;
const shelfCount = 100;
const columns = "id, name, price, stock, made_at";

/** One row. */
export const findItem: Question = {
  tool: "find_item",
  description: "One item by its id",
  sql: `SELECT ${columns} FROM items WHERE id = ?`,
  parameter: "id",
  most: itemCount,
  listAnswer: (id) => [itemOf(id)],
};

/** One hundred rows. */
export const listShelf: Question = {
  tool: "list_shelf",
  description: "The items of a shelf, in the order of their ids",
  sql: `SELECT ${columns} FROM items WHERE shelf = ? ORDER BY id LIMIT 100`,
  parameter: "shelf",
  most: shelfCount,
  listAnswer: (shelf) =>
    Array.from({ length: itemCount / shelfCount }, (_, row) => itemOf(shelf + row * shelfCount)),
};

/** Joins every item with every other twice over: 10^12 rows, for ever as far as anybody waits. */
export const countForEver: Omit<Question, "listAnswer"> = {
  tool: "count_for_ever",
  description: "Counts what takes years to count",
  sql: "SELECT count(*) AS n FROM items a, items b, items c WHERE a.price + b.price + c.price > ?",
  parameter: "least",
  most: 1,
  deadlineMs: 500,
};

export function makeItems(path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`CREATE TABLE items (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL, stock INTEGER NOT NULL,
      made_at TEXT NOT NULL, shelf INTEGER NOT NULL);
    CREATE INDEX items_by_shelf ON items (shelf, id); BEGIN`);
  const insert = database.prepare("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)");
  for (let id = 1; id <= itemCount; id += 1) {
    const { name, price, stock, made_at: madeAt } = itemOf(id);
    insert.run(id, name, price, BigInt(stock), madeAt, BigInt(((id - 1) % shelfCount) + 1));
  }
  database.exec("COMMIT");
}

function itemOf(id: number): Item {
  const made_at = `2026-${pad(1 + (id % 12))}-${pad(1 + (id % 28))}T08:00:00Z`;
  return { id, name: `Item number ${id}`, price: id / 4, stock: id % 97, made_at };
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
