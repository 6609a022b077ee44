// What is said of a database that a door cannot open: once, with something to type.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";

function writeConfiguration({ folder }: Shelf, path: string): void {
  const query = "{ name: list, description: All., statement: SELECT name FROM items }";
  writeFileSync(
    join(folder, "genkan.yaml"),
    `name: shop\ndoors:\n  shop: { kind: sqlite, path: ${path}, queries: [${query}] }\n`,
  );
}

describe("a door", { skip: process.platform === "win32" }, () => {
  for (const [what, path, hint] of [
    ["without a file", "none.db", /ls -l '.+data'/],
    ["with a path that begins with ~", "~/x.db", /~ is not expanded here: .+/],
  ] as const)
    test(`${what} says what helps, under check and serve`, async () => {
      using shelf = openShelf();
      writeConfiguration(shelf, path);
      for (const command of ["check", "serve"]) {
        const { code, stderr } = await shelf.run(command);
        assert.equal(code, 1);
        const said = `^genkan\\.yaml:3:31: Cannot open the door "shop" by "doors\\.shop\\.path": "\\S+${path}": there is no such file, expected a SQLite database\\n  hint: ${hint.source}\\n$`;
        assert.match(stderr, new RegExp(said));
      }
    });

  test("whose database another program keeps locked says for how long it waited, and how to find it", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf, "shop.db, databaseLimits: { queueWaitMs: 300 }");
    using program = new DatabaseSync(shelf.database);
    program.exec("BEGIN EXCLUSIVE");
    const { code, stderr } = await shelf.run("check");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /path": "\S+shop\.db": another program keeps the database locked for itself and did not let go within 300 ms\n {2}hint: lsof '\S+shop\.db' tells which/,
    );
    assert.equal(stderr.match(/Cannot open/g)?.length, 1);
  });
});
