// `genkan prove` where what changed lies beside the database, and where its words are not what they should be.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { genkanWords } from "../../../fixtures/command-line.ts";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";

/** A call of a tool whose server has its configuration, and so its state, beside the database. */
function callWords({ folder }: Shelf): readonly string[] {
  const query = "{ name: list_items, description: All., statement: SELECT name FROM items }";
  const door = `{ kind: sqlite, path: shop.db, queries: [${query}] }`;
  writeFileSync(join(folder, "genkan.yaml"), `name: shop\ndoors:\n  shop: ${door}\n`);
  return [...genkanWords(["call", "list_items", "{}"]), "--", ...genkanWords(["serve"])];
}

describe("prove", { skip: process.platform === "win32" }, () => {
  test("of a call of a server says that the database is the same and what its state folder is, and with --except: unchanged", async () => {
    using shelf = openShelf();
    const words = callWords(shelf);
    const first = await shelf.run("prove", "shop.db", "--", ...words);
    assert.equal(first.code, 1, first.stderr);
    assert.match(first.stderr, /^Changed beside \S+shop\.db \(its own bytes are the same\)\n/);
    const state = join(shelf.folder, ".genkan");
    assert.ok(
      first.stderr.includes(
        `  hint: this is the state folder of genkan serve: --except '${state}'\n`,
      ),
      first.stderr,
    );
    const again = await shelf.run("prove", "shop.db", "--except", ".genkan", "--", ...words);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /^Unchanged: /);
  });

  test("with an exception for a state that is not there yet says so, and ends unchanged", async () => {
    using shelf = openShelf();
    const words = callWords(shelf);
    const { code, stderr } = await shelf.run(
      "prove",
      "shop.db",
      "--except",
      ".genkan",
      "--",
      ...words,
    );
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^There is nothing at "\.genkan" now: --except lets it be made\n/);
    assert.match(stderr, /^Unchanged: /m);
  });

  test("of another folder that is made hints at no state", async () => {
    using shelf = openShelf();
    const { code, stderr } = await shelf.run("prove", "shop.db", "--", "mkdir", "made", ".genkan");
    assert.equal(code, 1);
    assert.match(stderr, /^Changed beside /);
    assert.doesNotMatch(stderr, /hint:/);
  });

  test("without -- shows where it belongs", async () => {
    using shelf = openShelf();
    const { code, stderr } = await shelf.run("prove", "shop.db", "cat", "it is");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot run "genkan prove": no -- stands before the command, expected one\n {2}hint: genkan prove shop\.db -- cat 'it is'\n$/,
    );
  });

  test("in a working directory that was removed says so", async () => {
    using shelf = openShelf();
    const lost = join(shelf.folder, "lost");
    mkdirSync(lost);
    const words = genkanWords(["check"]).map((word) => `'${word}'`);
    const script = `cd lost && rmdir ../lost && ${words.join(" ")}`;
    const { stderr } = await shelf.run("prove", "shop.db", "--", "sh", "-c", script);
    assert.match(stderr, /Cannot run genkan: the working directory is not there any more/);
    assert.doesNotMatch(stderr, /fault in Genkan/);
  });
});
