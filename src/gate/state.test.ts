import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openDesk, textTool } from "../../fixtures/gate.ts";
import { StateError } from "./index.ts";

let runs = 0;
const get = textTool("get", "read", () => "x");
const send = textTool("send", "write", (text) => `${text}${++runs}`);
const ids = { task_id: "t1", call_id: "c1" };

describe("while the state", () => {
  for (const readsWithoutState of [false, true])
    test(`is locked, a write is refused and not run; a read ${readsWithoutState ? "goes on" : "with ids is refused too"}`, async () => {
      await using desk = await openDesk([get, send], { readsWithoutState, lockWaitMs: 1 });
      desk.grant("t1", ["send"]);
      const other = new DatabaseSync(join(desk.folder, "state.db"));
      other.exec("BEGIN IMMEDIATE");
      runs = 0;
      const refused = await desk.call("send", ids);
      assert.deepEqual([refused.code, refused.retryable, runs], ["state_unavailable", true, 0]);
      assert.equal(refused.message, "The gate's state cannot be used: it is locked");
      assert.match(
        desk.reports.join(),
        /Cannot write the state ".*state.db": it is locked by another process; another process holds/,
      );
      const read = await desk.call("get", ids);
      assert.equal(read.code, readsWithoutState ? "ok" : "state_unavailable");
      if (readsWithoutState) assert.match(read.warnings.join(), /this read was not recorded/);
      assert.equal((await desk.call("get")).code, readsWithoutState ? "ok" : "state_unavailable");
      other.exec("ROLLBACK");
      other.close();
      assert.equal((await desk.call("send", ids)).code, "ok");
      while (!desk.reports.includes("The gate's state can be used again")) await sleep(10);
      assert.equal((await desk.call("get")).code, "ok");
    });

  test("is full after the work was done: its outcome is told with a warning, kept in memory, and stored when there is room", async () => {
    const options = { maxStateBytes: 200 * 4096, readsWithoutState: true };
    let fill = (): void => {};
    const late = textTool("send", "write", (text) => {
      runs++;
      fill();
      return text;
    });
    await using desk = await openDesk([late, get], options);
    desk.grant("t1", ["send"], 5);
    desk.gate.store.prepare("CREATE TABLE filling (bytes BLOB)").run();
    const insert = desk.gate.store.prepare("INSERT INTO filling VALUES (?)");
    fill = () =>
      assert.throws(
        () => {
          for (;;) insert.run(new Uint8Array(4000));
        },
        { kind: "full" },
      );
    runs = 0;
    const text = "y".repeat(20_000);
    const first = await desk.call("send", { ...ids, text });
    assert.deepEqual([first.code, first.data, runs], ["ok", { text }, 1]);
    assert.match(first.warnings.join(), /This outcome could not be stored yet/);
    assert.deepEqual((await desk.call("send", { ...ids, text })).data, { text });
    assert.equal((await desk.call("get")).code, "ok");
    fill = () => {};
    desk.gate.store.prepare("DELETE FROM filling").run();
    while (!desk.reports.includes("The gate's state can be used again")) await sleep(10);
    const later = await desk.call("send", { ...ids, text });
    assert.deepEqual([later.replayed, later.data, runs], [true, { text }, 1]);
  });

  test("is full before the work: the write is refused, and its grant is not used", async () => {
    await using desk = await openDesk([send], { maxStateBytes: 40 * 4096 });
    desk.grant("t1", ["send"]);
    desk.gate.store.prepare("CREATE TABLE filling (bytes BLOB)").run();
    const insert = desk.gate.store.prepare("INSERT INTO filling VALUES (?)");
    assert.throws(
      () => {
        for (;;) insert.run(new Uint8Array(4000));
      },
      { kind: "full" },
    );
    runs = 0;
    let n = 0;
    let envelope = await desk.call("send", { ...ids, call_id: "c0" });
    while (envelope.code === "ok" || envelope.code === "grant_required") {
      desk.grant("t1", ["send"]);
      envelope = await desk
        .call("send", { ...ids, call_id: `c${++n}`, text: "x".repeat(90) })
        .catch((error: unknown) => error as never);
    }
    assert.equal(envelope.code, "state_unavailable");
  });
});

describe("a state that cannot be opened", () => {
  test("stops the gate with a StateError that says why, unless reads may go on without it", async () => {
    await using good = await openDesk([]);
    const folder = join(good.folder, "bad");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "state.db"),
      "no database at all, but long enough to have a header".repeat(9),
    );
    await assert.rejects(openDesk([get], { stateDir: folder, isKept: true }), (thrown) => {
      assert.ok(thrown instanceof StateError && thrown.kind === "corrupt");
      assert.match(thrown.message, /Cannot open the state ".*": it is no SQLite file/);
      return true;
    });
    await using desk = await openDesk([get, send], {
      stateDir: folder,
      isKept: true,
      readsWithoutState: true,
    });
    assert.match(desk.reports.join(), /it is no SQLite file; move the state folder aside/);
    assert.equal((await desk.call("get")).code, "ok");
    assert.equal((await desk.call("get", ids)).code, "ok");
    const refused = await desk.call("send", ids);
    assert.deepEqual(
      [refused.code, refused.message],
      ["state_unavailable", "The gate's state cannot be used: it is corrupt"],
    );
    assert.throws(() => desk.gate.grants, StateError);
  });

  test("a damaged page refuses what needs it, and says so", async () => {
    await using first = await openDesk([get, send], { isKept: true });
    first.grant("t1", ["send"], 5);
    await first.call("send", ids);
    await first.gate[Symbol.asyncDispose]();
    const file = join(first.folder, "state.db");
    writeFileSync(file, readFileSync(file).fill(0xff, 4096 * 2));
    await using desk = await openDesk([get, send], {
      stateDir: first.folder,
      readsWithoutState: true,
    });
    assert.equal((await desk.call("send", { ...ids, call_id: "c2" })).code, "state_unavailable");
    assert.equal((await desk.call("get")).code, "ok");
    assert.match(desk.reports.join(), /it is damaged/);
  });

  test(
    "a read-only folder: nothing is written, and whoever is not root is told so",
    { skip: process.platform === "win32" },
    async () => {
      await using desk = await openDesk([]);
      const folder = join(desk.folder, "locked");
      mkdirSync(folder, { mode: 0o555 });
      chmodSync(desk.folder, 0o755);
      const program = `
      const { openGate } = await import(${JSON.stringify(new URL("index.ts", import.meta.url).href)});
      if (process.getuid() === 0) process.setuid(65534); // after the import: the checkout may be root's alone
      try { openGate({ stateDir: process.argv[1] }); } catch (error) { console.log(error.kind, error.message); }`;
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module", "-e", program, folder],
        { encoding: "utf8" },
      );
      assert.match(
        stdout + stderr,
        /^read-only Cannot open the state ".*state.db": permission is denied\n$/,
      );
    },
  );
});

describe("a gate without a state folder", () => {
  test("takes no ids, for it could keep nothing under them", async () => {
    await using desk = await openDesk([get], { stateDir: undefined });
    const published = desk.server.catalogue.tools.values().map(({ tool }) => tool.inputSchema);
    assert.deepEqual(published, [get.inputSchema]);
    const refused = await desk.call("get", ids);
    assert.equal(refused.code, "invalid_arguments");
    assert.match(refused.message, /task_id/);
  });

  test("runs reads, and tells nobody of trouble", async () => {
    await using desk = await openDesk([get], { stateDir: undefined });
    assert.deepEqual(
      [(await desk.call("get")).code, (await desk.call("get")).warnings],
      ["ok", []],
    );
    assert.deepEqual(desk.reports, []);
    assert.deepEqual(readdirSync(desk.folder), []);
  });

  test("takes no tool that writes", async () => {
    await assert.rejects(openDesk([send], { stateDir: undefined }), {
      name: "UsageError",
      message: /the tool "send": it writes and this gate keeps no state, expected a folder/,
    });
  });

  test("has no artifacts", async () => {
    const draw = textTool("draw", "read", (_, call) =>
      JSON.stringify(call.artifact(new Uint8Array(3), { name: "a.png", mimeType: "image/png" })),
    );
    await using desk = await openDesk([draw], { stateDir: undefined });
    assert.equal((await desk.call("draw")).code, "state_unavailable");
  });
});
