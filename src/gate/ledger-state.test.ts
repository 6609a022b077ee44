import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Envelope } from "./envelope.ts";
import type { CallFacts } from "./feature.ts";
import { Ledger, ledgerMigrations } from "./ledger.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Migrations, Store } from "./store.ts";

const facts: CallFacts = {
  traceId: "ab",
  principal: "local",
  door: "shop",
  tool: "send",
  risk: "write",
  taskId: "t1",
  callId: "c1",
  args: undefined,
  origin: undefined,
  at: 5,
};
const envelope: Envelope = {
  ok: true,
  code: "ok",
  retryable: false,
  attempts: 1,
  message: "",
  hint: "",
  data: null,
  warnings: [],
  replayed: false,
  task_id: "t1",
  call_id: "c1",
  trace_id: "ab",
  duration_ms: 1,
};
const sealed = { envelope, links: [] };
const limits = { resultTtlMs: 100, idsTtlMs: 1000 };

function withFolder(work: (open: (migrations: Migrations) => Store) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "genkan-ledger-"));
  try {
    work((migrations) => openSqliteStore({ folder, migrations: [migrations] }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the ledger of an older Genkan is taken over: intents, results, and ends without one", () => {
  withFolder((open) => {
    const { feature, steps } = ledgerMigrations;
    {
      using old = open({ feature, steps: steps.slice(0, 1) });
      const insert = old.prepare("INSERT INTO ledger_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
      const add = (key: string, end: number | null, state: string, result: string | null): number =>
        insert.run(key, "d", JSON.stringify(facts), "g", "r", 5, end, state, result);
      add("k1", null, "intent", null);
      add("k2", 7, "done", JSON.stringify(sealed));
      add("k3", 7, "unknown", null);
      add("k4", 7, "expired", null);
    }
    using store = open(ledgerMigrations);
    const ledger = new Ledger(store, limits, () => 9);
    const known = { digest: "d", runner: "r", grant: "g", begunAt: 5 };
    assert.deepEqual(
      ["k1", "k2", "k3", "k4"].map((key) => ledger.find(key)),
      [
        { key: "k1", ...known, state: "intent" },
        { key: "k2", ...known, state: "done", sealed },
        { key: "k3", ...known, state: "unknown" },
        { key: "k4", ...known, state: "expired", endedAt: 7 },
      ],
    );
    assert.equal(ledger.abandon("r").length, 1);
    assert.equal(ledger.find("k1")?.state, "unknown");
  });
});

test("the ledger drops a result, and at last the ids, after their times, and no call that is open", () => {
  withFolder((open) => {
    using store = open(ledgerMigrations);
    let now = 0;
    const ledger = new Ledger(store, limits, () => now);
    for (const key of ["done", "unknown", "open"]) ledger.begin(key, "d", facts, undefined, "r");
    ledger.settle("done", sealed);
    ledger.settleUnknown("unknown");
    const results = store.prepare("SELECT count(sealed) AS n FROM ledger_end");
    const look = (at: number): readonly unknown[] => {
      now = at;
      ledger.prune();
      const states = ["done", "unknown", "open"].map((key) => ledger.find(key)?.state);
      return [results.get()?.["n"], ...states];
    };
    assert.deepEqual(look(100), [1, "done", "unknown", "intent"]);
    assert.deepEqual(look(101), [0, "expired", "unknown", "intent"]);
    assert.deepEqual(look(1000), [0, "expired", "unknown", "intent"]);
    assert.deepEqual(look(1001), [0, undefined, undefined, "intent"]);
    assert.equal(store.prepare("SELECT count(*) AS n FROM ledger_end").get()?.["n"], 0);
  });
});

test("the ledger keeps the first end of a call, and frees no call that has one", () => {
  withFolder((open) => {
    using store = open(ledgerMigrations);
    const ledger = new Ledger(store, limits, () => 1);
    ledger.begin("k", "d", facts, "g", "dead");
    assert.deepEqual(ledger.abandon("dead"), [{ facts: omitArgs(facts), grant: "g" }]);
    ledger.settle("k", sealed);
    ledger.free("k");
    assert.equal(ledger.find("k")?.state, "unknown");
    assert.deepEqual(ledger.abandon("dead"), []);
    ledger.begin("other", "d", facts, undefined, "r");
    ledger.free("other");
    assert.equal(ledger.find("other"), undefined);
  });
});

/** As they come back from JSON, where `undefined` is no member. */
function omitArgs({ args: _args, origin: _origin, ...rest }: CallFacts): Partial<CallFacts> {
  return rest;
}
