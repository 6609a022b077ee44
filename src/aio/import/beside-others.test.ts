// An import beside others: doors that read meanwhile, and a process that dies in the middle of it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "node:test";
import { genkanWords } from "../../../fixtures/command-line.ts";
import { serpApiOverview, serpApiPage } from "../../../fixtures/result-pages.ts";
import { connect } from "../../index.ts";
import { importPages } from "./import-pages.ts";

const now = Date.UTC(2026, 4, 5);

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "genkan-beside-"));
  return {
    folder,
    path: join(folder, "aio.db"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** Writes one file with so many pages, none of which is in another round. */
function putPages(folder: string, round: number, count: number): string {
  const pages = Array.from({ length: count }, (_, index) =>
    serpApiPage({
      q: `keyword ${index}`,
      metadata: { id: `${round}-${index}` },
      overview: serpApiOverview,
    }),
  );
  const file = join(folder, `${round}.json`);
  writeFileSync(file, JSON.stringify(pages));
  return file;
}

interface Listed {
  readonly ok: boolean;
  readonly data: {
    readonly items: readonly { readonly observations: number }[];
    readonly total: number;
  };
}

describe("an import", { concurrency: 2 }, () => {
  for (const mode of ["delete", "wal"]) {
    test(`is seen whole or not at all by a door that reads meanwhile (${mode})`, async () => {
      using place = openFolder();
      const take = (round: number): unknown =>
        importPages(place.path, { files: [putPages(place.folder, round, 50)], now });
      take(0);
      using writer = new DatabaseSync(place.path);
      writer.exec(`PRAGMA journal_mode = ${mode}`);
      const [command = "", ...args] = genkanWords(["aio", "--db", place.path]);
      await using client = await connect({ command, args });
      const list = async (): Promise<Listed> => {
        const { structuredContent } = await client.callTool("list_runs", { limit: 100 });
        return structuredContent as never;
      };
      const totals: number[] = [];
      for (let round = 1; round <= 15; round++) {
        const asked = [list(), list()];
        await sleep(round); // so that they are at another point each time
        take(round);
        for (const { ok, data } of await Promise.all([...asked, list()])) {
          assert.ok(ok, JSON.stringify(data));
          assert.deepEqual(
            data.items.filter(({ observations }) => observations !== 50),
            [],
          );
          totals.push(data.total);
        }
        assert.equal(totals.at(-1), round + 1);
      }
      assert.equal(writer.prepare("PRAGMA journal_mode").get()?.["journal_mode"], mode);
    });
  }

  test("that dies leaves what was there, or all of what it brings", async () => {
    using place = openFolder();
    importPages(place.path, { files: [putPages(place.folder, 0, 10)], now });
    const file = putPages(place.folder, 1, 1000);
    const extra = join(place.folder, "extra.json");
    writeFileSync(extra, JSON.stringify(serpApiPage({ q: "extra" })));
    let runs = 1;
    for (const patienceMs of [150, 250, 300, 350, 400, 500, 600]) {
      const [command = "", ...args] = genkanWords(["aio", "import", place.path, file]);
      const child = spawn(command, args, { stdio: "ignore" });
      const ended = once(child, "close");
      await sleep(patienceMs);
      child.kill("SIGKILL");
      await ended;
      using database = new DatabaseSync(place.path); // a writer: it undoes what was not finished
      const counts = database
        .prepare("SELECT count(*) AS n FROM observations GROUP BY run_id ORDER BY run_id")
        .all();
      assert.deepEqual(
        counts.map(({ n }) => n),
        [10, 1000].slice(0, counts.length),
      );
      assert.deepEqual(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
      runs = counts.length;
    }
    assert.equal(importPages(place.path, { files: [file, extra], now }).run, runs + 1);
  });

  test("into a new database that dies leaves no database", async () => {
    using place = openFolder();
    const file = putPages(place.folder, 1, 1000);
    for (const patienceMs of [200, 300, 400, 500]) {
      rmSync(place.path, { force: true });
      const [command = "", ...args] = genkanWords(["aio", "import", place.path, file]);
      const child = spawn(command, args, { stdio: "ignore" });
      const ended = once(child, "close");
      await sleep(patienceMs);
      child.kill("SIGKILL");
      await ended;
      const others = readdirSync(place.folder).filter(
        (name) => !/^(?:1\.json|aio\.db(?:\.\w+\.part)?)$/.test(name),
      );
      assert.deepEqual(others, []);
      if (!existsSync(place.path)) continue;
      using database = new DatabaseSync(place.path, { readOnly: true });
      assert.equal(database.prepare("SELECT count(*) AS n FROM observations").get()?.["n"], 1000);
    }
  });
});
