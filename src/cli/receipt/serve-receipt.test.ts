// `genkan serve --receipt`: from before the doors open until after they are closed, however the server ends.

import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { finish } from "../../../fixtures/command-line.ts";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";
import { createSample } from "../../aio/index.ts";
import { loadReceipts } from "../../sqlite/index.ts";

const { readReceipt } = await loadReceipts();
const statement = "SELECT name FROM items ORDER BY name";

/** A configuration beside the database, its state too. */
function writeConfiguration({ folder }: Shelf, path = "shop.db", sql = statement): void {
  const query = `{ name: list_items, description: Lists all items., statement: ${sql} }`;
  const door = `{ kind: sqlite, path: ${path}, queries: [${query}] }`;
  writeFileSync(join(folder, "genkan.yaml"), `name: shop\ndoors:\n  shop: ${door}\n`);
}

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
});
const call = JSON.stringify({
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "list_items", arguments: {} },
});

/** Starts a server with a receipt in its own folder, and calls its tool. */
async function startCalled(
  shelf: Shelf,
  words: readonly string[] = ["serve"],
  request = call,
): Promise<ChildProcessWithoutNullStreams> {
  const child = shelf.start(...words, "--receipt", "receipt.json");
  child.stdin.write(`${initialize}\n${request}\n`);
  for await (const line of createInterface({ input: child.stdout }))
    if (JSON.parse(line).id === 2) {
      assert.match(line, /"ok":true/);
      break;
    }
  return child;
}

const skip = process.platform === "win32";

describe("serve --receipt", { skip }, () => {
  for (const signal of [undefined, "SIGTERM", "SIGINT"] as const)
    test(`finds everything unchanged when it ends by ${signal ?? "its stdin's end"}`, async () => {
      using shelf = openShelf("wal");
      writeConfiguration(shelf);
      const child = await startCalled(shelf);
      const file = join(shelf.folder, "receipt.json");
      assert.equal((await readReceipt(file)).verdict, "unfinished");
      const ended = finish(child);
      if (signal === undefined) child.stdin.end();
      else child.kill(signal);
      const { code, stderr } = await ended;
      assert.deepEqual([code, stderr], [0, ""]);
      const { verdict, ending, except, command, databases, differences } = await readReceipt(file);
      assert.deepEqual(differences, []);
      assert.deepEqual([verdict, databases], ["unchanged", [shelf.database]]);
      assert.deepEqual(ending, { code: 0, signal: null, error: null });
      assert.deepEqual(except, [file, join(shelf.folder, ".genkan")]);
      assert.deepEqual(command.words, ["genkan", "serve", "--receipt", "receipt.json"]);
    });

  test("finds what the owner wrote meanwhile, says so, and ends with 1", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf);
    const child = await startCalled(shelf);
    {
      using writer = new DatabaseSync(shelf.database);
      writer.exec("INSERT INTO items VALUES ('rice')");
    }
    const ended = finish(child);
    child.stdin.end();
    const { code, stderr } = await ended;
    assert.equal(code, 1);
    assert.match(
      stderr,
      /Changed, says the receipt receipt\.json:\n {2}changed {2}database \S+shop\.db: sha256 /,
    );
    assert.equal((await readReceipt(join(shelf.folder, "receipt.json"))).verdict, "changed");
  });

  test("leaves a receipt that says unfinished when it is killed", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf);
    const child = await startCalled(shelf);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { verdict, after } = await readReceipt(join(shelf.folder, "receipt.json"));
    assert.deepEqual([verdict, after], ["unfinished", null]);
  });

  test("genkan aio --receipt finds its database unchanged", async () => {
    using shelf = openShelf();
    await createSample(join(shelf.folder, "aio.db"), { runs: 2, keywords: 10 });
    const words = ["aio", "--db", "aio.db", "--state", "state"];
    const child = await startCalled(shelf, words, call.replace("list_items", "list_runs"));
    const ended = finish(child);
    child.stdin.end();
    const { code, stderr } = await ended;
    assert.deepEqual([code, stderr], [0, ""]);
    const { verdict, databases, except } = await readReceipt(join(shelf.folder, "receipt.json"));
    assert.deepEqual([verdict, databases], ["unchanged", [join(shelf.folder, "aio.db")]]);
    assert.deepEqual(except, [join(shelf.folder, "receipt.json"), join(shelf.folder, "state")]);
  });

  test("over HTTP it is finished when the server is told to end", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf);
    const child = shelf.start("serve", "--http", "127.0.0.1:0", "--receipt", "receipt.json");
    const ended = finish(child);
    while (!(await once(child.stderr, "data")).join("").includes("Serving")); // says it when it serves
    child.kill("SIGTERM");
    assert.equal((await ended).code, 0);
    const { verdict, ending } = await readReceipt(join(shelf.folder, "receipt.json"));
    assert.deepEqual([verdict, ending?.code], ["unchanged", 0]);
  });

  test("a door that does not open ends the run, and the receipt says why", async () => {
    using shelf = openShelf();
    writeConfiguration(shelf, "shop.db", "SELECT nothing FROM items");
    const { code, stdout } = await shelf.run("serve", "--receipt", "receipt.json");
    assert.deepEqual([code, stdout], [1, ""]);
    const { verdict, ending } = await readReceipt(join(shelf.folder, "receipt.json"));
    assert.equal(verdict, "unchanged");
    assert.match(ending?.error ?? "", /genkan\.yaml:\d+:\d+: /);
  });

  /** Ways not to start, each with its exit code and what stderr says. */
  const failures: readonly (readonly [
    what: string,
    prepare: (shelf: Shelf) => string,
    code: number,
    stderr: RegExp,
  ])[] = [
    [
      "a database that is not there",
      (shelf) => {
        writeConfiguration(shelf, "no.db");
        return "receipt.json";
      },
      1,
      /Cannot look at "\S+no\.db": there is no such file, expected a database\n/,
    ],
    [
      "a configuration without a SQLite file",
      ({ folder }) => {
        writeFileSync(join(folder, "tools.mjs"), "");
        writeFileSync(
          join(folder, "genkan.yaml"),
          "name: shop\ndoors: { own: { kind: module, path: tools.mjs } }\n",
        );
        return "receipt.json";
      },
      1,
      /Cannot write the receipt "receipt\.json": no SQLite file is served, expected one at least\n/,
    ],
    [
      "a receipt that is a folder",
      (shelf) => {
        writeConfiguration(shelf);
        mkdirSync(join(shelf.folder, "receipts"));
        return "receipts";
      },
      74,
      /Cannot write the receipt "\S+receipts": it is a folder, expected a file that can be written\n/,
    ],
  ];
  for (const [what, prepare, code, stderr] of failures)
    test(`${what} ends it with ${code}, before anything is opened`, async () => {
      using shelf = openShelf();
      const file = prepare(shelf);
      const before = readFileSync(shelf.database);
      const ending = await shelf.run("serve", "--receipt", file);
      assert.deepEqual([ending.code, ending.stdout], [code, ""], ending.stderr);
      assert.match(ending.stderr, stderr);
      assert.deepEqual(readFileSync(shelf.database), before);
      assert.deepEqual(
        [existsSync(join(shelf.folder, ".genkan")), existsSync(join(shelf.folder, "receipt.json"))],
        [false, false],
      );
    });
});
