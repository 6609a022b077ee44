// A configuration with `state: none`: its doors are served, nothing is made or recorded, and what needs a state says so.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { genkan, genkanWords } from "../../../fixtures/command-line.ts";
import { openHouse } from "../../../fixtures/gated-house.ts";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";

function writeConfiguration({ folder }: Shelf, state: string): void {
  const query = "{ name: list_items, description: All., statement: SELECT name FROM items }";
  const door = `{ kind: sqlite, path: shop.db, queries: [${query}] }`;
  writeFileSync(
    join(folder, "genkan.yaml"),
    `name: shop\nstate: ${state}\ndoors:\n  shop: ${door}\n`,
  );
}

describe("state: none", () => {
  test("serves what reads, checks green, and makes no folder", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf, "none");
    const call = ["call", "list_items", "{}", "--", ...genkanWords(["serve"])];
    const called = await shelf.run(...call);
    assert.equal(called.code, 0, called.stderr);
    assert.match(called.stdout, /tea/);
    const { code, stdout } = await shelf.run("check");
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}state +none: nothing is recorded$/m);
    assert.equal(JSON.parse((await shelf.run("check", "--json")).stdout).state, null);
    assert.deepEqual(readdirSync(shelf.folder).toSorted(), ["genkan.yaml", "shop.db"]);
  });

  test("is told by each command that needs a state", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf, "none");
    const grant = "--tools list_items --uses 1 --for 1m --reason r".split(" ");
    for (const words of [
      ["trace"],
      ["audit"],
      ["grants"],
      ["grant", "t1", ...grant],
      ["replay", "c1"],
    ]) {
      const { code, stderr } = await shelf.run(...words);
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /^Cannot find the state of "genkan\.yaml": this configuration keeps no state \(state: none\), expected one that does\n {2}hint: state: \.genkan in genkan\.yaml\n$/,
      );
    }
  });

  test("is a folder of this name as ./none", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf, "./none");
    const { code } = await shelf.run("call", "list_items", "{}", "--", ...genkanWords(["serve"]));
    assert.equal(code, 0);
    assert.ok(readdirSync(join(shelf.folder, "none")).includes("state.db"));
  });

  test("with a tool that writes stops check and serve", async () => {
    await using house = openHouse();
    const file = join(house.folder, "none.yaml");
    writeFileSync(file, readFileSync(house.file, "utf8").replace("state: .genkan", "state: none"));
    for (const command of ["check", "serve"]) {
      const { code, stderr } = await genkan(command, file);
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /none\.yaml:\d+:\d+: Cannot use "doors\.\w+": its tool "\w+" writes and this configuration keeps no state, expected a folder at "state"/,
      );
    }
  });
});
