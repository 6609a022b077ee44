// The processes behind a database: none is left when it is closed or its program is dead, and one that dies is replaced.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endless } from "../../../fixtures/sqlite/bombs.ts";
import {
  canSeeProcesses,
  countDescriptors,
  isRunning,
  listServants,
  until,
} from "../../../fixtures/sqlite/processes.ts";
import { makeShed } from "../../../fixtures/sqlite/shed.ts";
import { openDatabase } from "../open-database.ts";
import { QueryError } from "../query-error.ts";

const holder = fileURLToPath(new URL("../../../fixtures/sqlite/holder.ts", import.meta.url));
const skip = !canSeeProcesses;

interface Held extends Disposable {
  readonly child: ChildProcess;
  readonly way: string;
  readonly servants: readonly { readonly pid: number }[];
}

async function hold(file: string, what: string): Promise<Held> {
  const child = spawn(process.execPath, ["--no-warnings", holder, file, what], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  for await (const piece of child.stdout) {
    said += String(piece);
    if (said.includes("\n")) break;
  }
  return {
    child,
    ...JSON.parse(said),
    [Symbol.dispose]: () => {
      child.kill("SIGKILL");
    },
  };
}

/** Gives what tells the processes that were started since. */
function noteServants(): () => ReturnType<typeof listServants> {
  const others = new Set(listServants(process.pid).map(({ pid }) => pid));
  return () => listServants(process.pid).filter(({ pid }) => !others.has(pid));
}

/** The folders of copies that a process has made. */
function listFolders({ pid }: { readonly pid?: number | undefined }): readonly string[] {
  const form = new RegExp(`^genkan-.*-${pid}-[0-9a-f]+$`);
  return readdirSync(tmpdir()).filter((name) => form.test(name));
}

describe("when the program is gone", { skip }, () => {
  for (const what of ["idle", "busy", "copying"])
    for (const way of ["in-place", "copy"]) {
      if (what === "copying" && way === "in-place") continue;
      test(`by SIGKILL while its readers are ${what}, ${way}: no process is left, and no copy`, async () => {
        using shed = makeShed({ isLogged: way === "copy" });
        using writer = way === "copy" ? new DatabaseSync(shed.file) : undefined;
        writer?.exec("INSERT INTO t(b) VALUES ('in the log')");
        using held = await hold(shed.file, what);
        assert.deepEqual([held.way, held.servants.length > 1], [way, true]);
        assert.equal(listFolders(held.child).length, way === "copy" ? 1 : 0);
        const before = shed.look();
        held.child.kill("SIGKILL");
        await until(() => held.servants.every(({ pid }) => !isRunning(pid)));
        await until(() => listFolders(held.child).length === 0);
        assert.equal(shed.look(), before);
      });
    }

  test("because it came to its end without closing anything: no process is left, and no copy", async () => {
    using shed = makeShed({ isLogged: true });
    using writer = new DatabaseSync(shed.file);
    writer.exec("INSERT INTO t(b) VALUES ('in the log')");
    using held = await hold(shed.file, "end");
    const { child, servants } = held;
    await until(() => child.exitCode !== null);
    assert.equal(child.exitCode, 0);
    await until(() => servants.every(({ pid }) => !isRunning(pid)));
    await until(() => listFolders(child).length === 0);
  });
});

describe("a reader", { skip }, () => {
  test("is started when it is needed, never beyond the limit, and ended with the database", async () => {
    using shed = makeShed();
    const own = noteServants();
    const count = (): number => own().length;
    {
      await using database = await openDatabase({ path: shed.file, limits: { queries: 3 } });
      const ask = () => database.read((askOne) => askOne({ sql: "SELECT 1", maxRows: 1 }));
      await ask();
      assert.equal(count(), 2); // with the scout
      await Promise.all(Array.from({ length: 20 }, ask));
      assert.equal(count(), 4);
    }
    assert.equal(count(), 0);
  });

  test("does not mind the signals that a terminal sends to all", async () => {
    using shed = makeShed();
    const own = noteServants();
    await using database = await openDatabase({ path: shed.file });
    const servants = own();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
      for (const { pid } of servants) process.kill(pid, signal);
    await database.read((ask) => ask({ sql: "SELECT 1", maxRows: 1 }));
    assert.ok(servants.every(({ pid }) => isRunning(pid)));
  });

  test("that is killed from outside is told of and replaced, and the question fails", async () => {
    using shed = makeShed();
    const reports: string[] = [];
    const report = (text: string): void => void reports.push(text);
    const own = noteServants();
    await using database = await openDatabase({ path: shed.file, limits: { queries: 1 }, report });
    const reader = own().find(({ command }) => command.includes("reader/main"));
    const asked = database.read((ask) =>
      ask({ sql: endless, maxRows: 1, allows: { recursion: true } }),
    );
    const settled = assert.rejects(asked, { kind: "reader-died" });
    await sleep(100); // it runs
    process.kill(reader?.pid ?? 0, "SIGKILL");
    await settled;
    const { rows } = await database.read((ask) => ask({ sql: "SELECT 1", maxRows: 1 }));
    assert.deepEqual(rows, [[1]]);
    assert.match(reports.join(), /^A reader of ".*main\.db" died \(SIGKILL\) and was replaced$/);
  });
});

describe("killing", { skip }, () => {
  // The thousand of the issue takes a minute: GENKAN_KILLS=1000 node --test src/sqlite/pool/processes.test.ts
  const kills = Number(process.env["GENKAN_KILLS"] ?? 40);

  test(`${kills} readers leaves no process, no descriptor, no listener and no copy behind`, async () => {
    using shed = makeShed();
    const own = noteServants();
    await using database = await openDatabase({ path: shed.file });
    const ask = (sql: string, signal: AbortSignal) =>
      database.read((askOne) => askOne({ sql, maxRows: 1, allows: { recursion: true } }), {
        signal,
      });
    const quiet = new AbortController().signal;
    await Promise.all(Array.from({ length: 8 }, () => ask("SELECT 1", quiet)));
    const [servants, descriptors] = [own().length, countDescriptors()];
    for (let killed = 0; killed < kills;) {
      const stopping = new AbortController();
      const running = Array.from({ length: 4 }, () => ask(endless, stopping.signal));
      const settled = Promise.allSettled(running);
      await ask("SELECT 1", AbortSignal.timeout(1)).catch(() => {});
      stopping.abort();
      for (const result of await settled) {
        assert.ok(result.status === "rejected" && result.reason instanceof QueryError);
        assert.equal(result.reason.kind, "cancelled");
        killed++;
      }
      assert.ok(own().length <= servants);
    }
    await Promise.all(Array.from({ length: 8 }, () => ask("SELECT 1", quiet)));
    await until(() => own().length <= servants && countDescriptors() <= descriptors);
  });
});

test("a folder for copies is there only while there are copies", async () => {
  using shed = makeShed();
  const folders = (): number => listFolders(process).length;
  const before = folders();
  await using database = await openDatabase({ path: shed.file });
  assert.equal(folders(), before);
  using writer = new DatabaseSync(shed.file);
  writer.exec("PRAGMA journal_mode = WAL; INSERT INTO t(b) VALUES ('new')");
  const { rows } = await database.read((ask) => ask({ sql: "SELECT count(*) FROM t", maxRows: 1 }));
  assert.deepEqual([rows, database.way, folders()], [[[4]], "copy", before + 1]);
  await database[Symbol.asyncDispose]();
  assert.equal(folders(), before);
  assert.ok(existsSync(shed.file));
});
