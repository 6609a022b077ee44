// Processes that are started before anybody knows which database they will read.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { canSeeProcesses, listServants, until } from "../../fixtures/sqlite/processes.ts";
import { makeShed } from "../../fixtures/sqlite/shed.ts";
import { Crew } from "./crew.ts";
import { openDatabase } from "./open-database.ts";

describe("a crew that is started ahead", { skip: !canSeeProcesses }, () => {
  test("reads the first database that can have it, which starts no scout of its own", async () => {
    using shed = makeShed();
    const listNew = noteServants();
    await using crew = new Crew();
    crew.startAhead();
    await until(() => listNew().length === 2);
    const ahead = listNew().map(({ pid }) => pid);

    await using database = await openDatabase({ path: shed.file, crew });
    assert.equal(database.way, "in-place");
    const now = listNew(); // where the machine is slow, one more reader has been made ready
    assert.ok(ahead.every((pid) => now.some((each) => each.pid === pid)));
    assert.equal(now.filter(({ command }) => command.includes("scout")).length, 1);
    assert.equal(crew.take(crew.cellBytes), false);
  });

  test("is not for a database with another limit of its readers, and ends when nobody needs it", async () => {
    using shed = makeShed();
    const listNew = noteServants();
    const crew = new Crew();
    crew.startAhead();
    await until(() => listNew().length === 2);
    {
      await using database = await openDatabase({
        path: shed.file,
        crew,
        limits: { cellBytes: 1_000 },
      });
      assert.ok(listNew().length >= 4, database.path);
    }
    assert.equal(listNew().length, 2);
    await crew[Symbol.asyncDispose]();
    assert.deepEqual(listNew(), []);
    assert.equal(existsSync(crew.folder), false);
  });

  test("ends with its scout alone when nobody waits for its reader any more", async () => {
    const listNew = noteServants();
    const crew = new Crew();
    crew.startAhead();
    await crew[Symbol.asyncDispose]();
    assert.deepEqual(listNew(), []);
  });
});

/** Gives what tells the processes that were started since. */
function noteServants(): () => ReturnType<typeof listServants> {
  const others = new Set(listServants(process.pid).map(({ pid }) => pid));
  return () => listServants(process.pid).filter(({ pid }) => !others.has(pid));
}
