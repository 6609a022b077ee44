import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { createAuditArchive, verifyAuditArchive } from "./audit-archive.ts";
import { createAuditFeature, type AuditOptions } from "./audit-feature.ts";
import { giveAuditedGrant, revokeAuditedGrants } from "./audit-grants.ts";
import { formatAuditRecord } from "./audit-format.ts";
import { formatAuditHead, parseAuditHead } from "./audit-head.ts";
import { AuditLog, auditMigrations } from "./audit-log.ts";
import { readAudit, type AuditFilter } from "./audit-query.ts";
import { genesisHash, hashRecord, type OutcomeEntry } from "./audit-record.ts";
import { rotateAudit } from "./audit-rotation.ts";
import { verifyAudit, type AuditVerdict } from "./audit-verify.ts";
import type { Envelope } from "./envelope.ts";
import type { CallFacts } from "./feature.ts";
import { grantMigrations, Grants } from "./grants.ts";
import { Redactor } from "./redactor.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { StateError } from "./state-error.ts";
import type { Store } from "./store.ts";

const day = 24 * 3_600_000;

interface Place extends Disposable {
  readonly folder: string;
  readonly store: Store;
  readonly log: AuditLog;
}

function make(): Place {
  const folder = mkdtempSync(join(tmpdir(), "genkan-audit-"));
  const store = openSqliteStore({ folder, migrations: [auditMigrations] });
  const dispose = (): void => {
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, store, log: new AuditLog(store), [Symbol.dispose]: dispose };
}

function entry(n: number, change: Partial<OutcomeEntry> = {}): OutcomeEntry {
  return {
    kind: "outcome",
    at: n * 1000,
    trace_id: String(n).padStart(32, "0"),
    principal: "local",
    door: "shop",
    tool: "post_order",
    risk: n % 2 === 0 ? "write" : "read",
    task_id: `t${n % 3}`,
    call_id: `c${n}`,
    origin: undefined,
    code: "ok",
    grant: undefined,
    attempts: 1,
    duration_ms: 1.5,
    ...change,
  };
}

/** As somebody would who has the file. */
function tamper(store: Store, ...statements: readonly string[]): void {
  const database = new DatabaseSync(store.place);
  database.exec("DROP TRIGGER IF EXISTS audit_is_append_only");
  for (const sql of statements) database.exec(sql);
  database.close();
}

function assertBroken(verdict: AuditVerdict, seq: number, reason: RegExp): void {
  assert.ok(!verdict.ok, "the chain is taken for whole");
  assert.equal(verdict.seq, seq);
  assert.match(verdict.reason, reason);
}

function headOf(log: AuditLog): string {
  const head = log.head();
  assert.ok(head);
  return formatAuditHead(head);
}

describe("the audit log", () => {
  test("ties each record to the one before, as anyone can compute", () => {
    using place = make();
    assert.equal(place.log.head(), undefined);
    place.log.append(entry(1));
    const head = place.log.append(entry(2, { origin: "https://é.example" }));
    const [first, second] = [...readAudit(place.store)];
    assert.ok(first && second);
    const body =
      '{"at":1000,"attempts":1,"call_id":"c1","code":"ok","door":"shop","duration_ms":1.5,"kind":"outcome",' +
      '"principal":"local","risk":"read","seq":1,"task_id":"t1","tool":"post_order","trace_id":"00000000000000000000000000000001"}';
    assert.equal(first.hash, hashRecord(genesisHash, body));
    assert.deepEqual(head, { seq: 2, hash: second.hash });
    assert.deepEqual(verifyAudit(place.store), { ok: true, records: 2, first: 1, head });
  });

  test("is verified while it is empty, and refuses a change through its own connection", () => {
    using place = make();
    assert.deepEqual(verifyAudit(place.store), { ok: true, records: 0, first: 1, head: undefined });
    place.log.append(entry(1));
    assert.throws(
      () => place.store.prepare("UPDATE audit_record SET body = '{}'").run(),
      /append-only/,
    );
  });

  test("a transaction that fails takes its records with it", () => {
    using place = make();
    place.log.append(entry(1));
    assert.throws(() =>
      place.store.transact(() => {
        place.log.append(entry(2));
        throw new Error("no");
      }),
    );
    place.log.append(entry(3));
    assert.equal(verifyAudit(place.store).records, 2);
  });

  const body = (n: number): string => `(SELECT body FROM audit_record WHERE seq = ${n})`;
  const rows: readonly (readonly [
    name: string,
    sql: readonly string[],
    seq: number,
    reason: RegExp,
  ])[] = [
    [
      "changed",
      ["UPDATE audit_record SET body = replace(body, 'c5\"', 'c9\"') WHERE seq = 5"],
      5,
      /was changed/,
    ],
    [
      "changed in its hash",
      [`UPDATE audit_record SET hash = '${"0".repeat(64)}' WHERE seq = 5`],
      5,
      /was changed/,
    ],
    ["emptied", ["UPDATE audit_record SET body = '{}' WHERE seq = 5"], 5, /was changed/],
    ["removed", ["DELETE FROM audit_record WHERE seq = 5"], 5, /it is missing/],
    ["removed, first", ["DELETE FROM audit_record WHERE seq < 4"], 1, /it is missing/],
    [
      "removed, and the others moved up",
      [
        "DELETE FROM audit_record WHERE seq = 5",
        "UPDATE audit_record SET seq = seq - 1 WHERE seq > 5",
      ],
      5,
      /carries the number 6/,
    ],
    [
      "inserted",
      [
        "UPDATE audit_record SET seq = -seq - 1 WHERE seq >= 5",
        `UPDATE audit_record SET seq = -seq WHERE seq < 0`,
        `INSERT INTO audit_record (seq, hash, body) SELECT 5, hash, body FROM audit_record WHERE seq = 4`,
      ],
      5,
      /carries the number 4/,
    ],
    [
      "appended by hand",
      [
        `INSERT INTO audit_record (seq, hash, body) VALUES (11, '${"a".repeat(64)}', replace(${body(10)}, '10', '11'))`,
      ],
      11,
      /was changed/,
    ],
    [
      "put before the first",
      [
        "INSERT INTO audit_record (seq, hash, body) SELECT -3, hash, body FROM audit_record WHERE seq = 4",
      ],
      -3,
      /it stands where no record can be/,
    ],
    [
      "reordered",
      [
        "UPDATE audit_record SET seq = 99 WHERE seq = 5",
        "UPDATE audit_record SET seq = 5 WHERE seq = 6",
        "UPDATE audit_record SET seq = 6 WHERE seq = 99",
      ],
      5,
      /carries the number 6/,
    ],
  ];
  for (const [name, sql, seq, reason] of rows)
    test(`names the first record that breaks it: one was ${name}`, () => {
      using place = make();
      for (let n = 1; n <= 10; n++) place.log.append(entry(n));
      tamper(place.store, ...sql);
      const verdict = verifyAudit(place.store);
      assertBroken(verdict, seq, reason);
      assert.equal(verdict.records, Math.max(0, seq - 1));
    });

  test("a changed record whose hash was made to fit breaks at the next one", () => {
    using place = make();
    for (let n = 1; n <= 10; n++) place.log.append(entry(n));
    const [prev, , changed] = [...readAudit(place.store)].slice(3).map((record) => record);
    assert.ok(prev && changed);
    const row = place.store.prepare("SELECT body FROM audit_record WHERE seq = 5").get();
    const text = String(row?.["body"]).replace('"ok"', '"not_found"');
    tamper(
      place.store,
      `UPDATE audit_record SET body = '${text}', hash = '${hashRecord(prev.hash, text)}' WHERE seq = 5`,
    );
    assertBroken(verifyAudit(place.store), 6, /one of the two was changed/);
  });

  test("an end that was cut off is told by the expected head, and by nothing else", () => {
    using place = make();
    for (let n = 1; n <= 10; n++) place.log.append(entry(n));
    const expectedHead = headOf(place.log);
    assert.equal(verifyAudit(place.store, { expectedHead }).ok, true);
    place.log.append(entry(11));
    assert.equal(verifyAudit(place.store, { expectedHead }).ok, true);
    tamper(place.store, "DELETE FROM audit_record WHERE seq > 8");
    assert.equal(verifyAudit(place.store).ok, true);
    assertBroken(
      verifyAudit(place.store, { expectedHead }),
      9,
      /ends at 8, expected it to go on to 10/,
    );
    place.log.append(entry(9, { code: "refused" }));
    place.log.append(entry(10));
    assert.equal(verifyAudit(place.store).ok, true);
    assertBroken(verifyAudit(place.store, { expectedHead }), 10, /written anew/);
  });

  test("a head is a text", () => {
    const head = { seq: 12, hash: "ab".repeat(32) };
    assert.deepEqual(parseAuditHead(formatAuditHead(head)), head);
    for (const text of [
      "",
      "12",
      `0:${head.hash}`,
      `12:${head.hash.toUpperCase()}`,
      `12:${head.hash}0`,
    ])
      assert.throws(() => parseAuditHead(text), /Cannot read the head/);
  });

  test("is one chain for several processes, and loses nothing", async () => {
    using place = make();
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(new URL("sqlite-store.ts", import.meta.url).href)});
      const { AuditLog, auditMigrations } = await import(${JSON.stringify(new URL("audit-log.ts", import.meta.url).href)});
      using store = openSqliteStore({ folder: process.argv[1], migrations: [auditMigrations] });
      const log = new AuditLog(store);
      for (let n = 1; n <= 100; n++) log.append({ ...JSON.parse(process.argv[2]), at: Date.now(), call_id: process.argv[3] + n });`;
    const children = ["a", "b", "c"].map((name) =>
      spawn(
        process.execPath,
        ["--input-type=module", "-e", program, place.folder, JSON.stringify(entry(1)), name],
        { stdio: ["ignore", "ignore", "inherit"] },
      ),
    );
    const exits = await Promise.all(children.map((child) => once(child, "exit")));
    for (const exit of exits) assert.deepEqual(exit, [0, null]);
    const verdict = verifyAudit(place.store);
    assert.deepEqual([verdict.ok, verdict.records], [true, 300]);
    const ids = new Set(Array.from(readAudit(place.store), ({ body: { call_id } }) => call_id));
    assert.equal(ids.size, 300);
  });
});

describe("readAudit()", () => {
  test("gives records in the order of time, by task, time and risk, over its pages", () => {
    using place = make();
    place.store.transact(() => {
      for (let n = 1; n <= 1200; n++) place.log.append(entry(n, n === 700 ? { at: 1500 } : {}));
    });
    const read = (filter?: AuditFilter): readonly number[] =>
      Array.from(readAudit(place.store, filter), ({ seq }) => seq);
    const all = read();
    assert.deepEqual([all.length, ...all.slice(0, 4)], [1200, 1, 700, 2, 3]);
    assert.deepEqual(read({ task: "t0", writes: true }).slice(0, 3), [6, 12, 18]);
    assert.equal(read({ task: "t0", writes: true }).length, 200);
    assert.deepEqual(read({ since: 3000, until: 5000 }), [3, 4, 5]);
    assert.deepEqual(read({ task: "t2", since: 3000, until: 9000 }), [5, 8]);
    assert.deepEqual(read({ task: "none" }), []);
  });

  test("formatAuditRecord() shows one in a line, and nothing that acts upon a terminal", () => {
    using place = make();
    place.log.append(entry(2, { task_id: "t\x1b[31m1\n", grant: "g1", code: "not_found" }));
    place.log.append({
      kind: "grant",
      at: 0,
      act: "given",
      grant: "g1",
      task_id: "t1",
      tools: ["a"],
      uses: 1,
      by: "ann",
      reason: "x",
    });
    const lines = Array.from(readAudit(place.store), formatAuditRecord);
    assert.deepEqual(lines, [
      "2  1970-01-01T00:00:00.000Z  grant  ann  t1  given  g1",
      "1  1970-01-01T00:00:02.000Z  outcome  local  t1   shop/post_order  write  not_found  grant g1",
    ]);
  });
});

describe("rotateAudit()", () => {
  test("moves full segments out, and the chain goes on", () => {
    using place = make();
    const archive = createAuditArchive(join(place.folder, "audit"));
    const options = { now: 0, keptRecords: 20, segmentRecords: 10, archive };
    for (let n = 1; n <= 29; n++) place.log.append(entry(n));
    assert.deepEqual(rotateAudit(place.store, place.log, options), []);
    const before = headOf(place.log);
    for (let n = 30; n <= 41; n++) place.log.append(entry(n));
    const segments = rotateAudit(place.store, place.log, options);
    assert.deepEqual(
      segments.map(({ from, to, archive: name }) => [from, to, name]),
      [
        [1, 10, "audit-1-10.jsonl"],
        [11, 20, "audit-11-20.jsonl"],
      ],
    );
    const verdict = verifyAudit(place.store, { expectedHead: before });
    assert.ok(verdict.ok, JSON.stringify(verdict));
    assert.deepEqual([verdict.first, verdict.records, verdict.head?.seq], [21, 23, 43]);
    assert.deepEqual(readdirSync(join(place.folder, "audit")), [
      "audit-1-10.jsonl",
      "audit-11-20.jsonl",
    ]);

    const [first, second] = segments;
    assert.ok(first && second);
    const path = join(place.folder, "audit", "audit-11-20.jsonl");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    const proven = verifyAuditArchive(lines, second);
    assert.deepEqual([proven.ok, proven.records], [true, 10]);
    const without = lines.filter((_line, index) => index !== 3);
    assertBroken(verifyAuditArchive(without, second), 14, /missing in the archive/);
    assertBroken(verifyAuditArchive(lines.slice(0, 9), second), 20, /ends at 19, expected 20/);
    const changed = lines.map((line, index) => (index === 3 ? line.replace("ok", "no") : line));
    assertBroken(verifyAuditArchive(changed, second), 11, /or another up to 20, was changed/);
    assertBroken(verifyAuditArchive(lines, first), 1, /missing/);
  });

  test("tells records that were removed from those that were moved out", () => {
    using place = make();
    for (let n = 1; n <= 40; n++) place.log.append(entry(n));
    const archive = createAuditArchive(place.folder);
    const old = formatAuditHead({ seq: 5, hash: [...readAudit(place.store)][4]?.hash ?? "" });
    const last = formatAuditHead({ seq: 10, hash: [...readAudit(place.store)][9]?.hash ?? "" });
    rotateAudit(place.store, place.log, { now: 0, keptRecords: 30, segmentRecords: 10, archive });
    assert.equal(verifyAudit(place.store, { expectedHead: last }).ok, true);
    assertBroken(
      verifyAudit(place.store, { expectedHead: old }),
      5,
      /moved out to "audit-1-10.jsonl" or before, expected the head of record 10 or later/,
    );
    assertBroken(
      verifyAudit(place.store, {
        expectedHead: last.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
      }),
      10,
      /written anew/,
    );
    const lines = readFileSync(join(place.folder, "audit-1-10.jsonl"), "utf8")
      .split("\n")
      .slice(0, -1);
    const segment = Array.from(readAudit(place.store)).find(
      ({ body }) => body["kind"] === "segment",
    );
    const { from, to, prev, head } = segment?.body ?? {};
    const range = { from: Number(from), to: Number(to), prev: String(prev), head: String(head) };
    assert.equal(verifyAuditArchive(lines, range, { expectedHead: old }).ok, true);
    tamper(place.store, "DELETE FROM audit_record WHERE seq = 11");
    assertBroken(verifyAudit(place.store), 11, /missing/);
  });

  test("moves out what is a day over its time, and keeps the chain through a second time", () => {
    using place = make();
    const now = 400 * day;
    for (let n = 1; n <= 6; n++) place.log.append(entry(n, { at: n === 6 ? now : n * 1000 }));
    const options = { keptMs: 365 * day, now };
    assert.deepEqual(
      rotateAudit(place.store, place.log, { ...options, now: 365 * day + 9000 }),
      [],
    );
    const [segment] = rotateAudit(place.store, place.log, options);
    assert.deepEqual([segment?.from, segment?.to, segment?.archive], [1, 5, null]);
    assert.deepEqual(rotateAudit(place.store, place.log, options), []);
    place.log.append(entry(8, { at: now + 1 }));
    const [next] = rotateAudit(place.store, place.log, { ...options, now: now + 370 * day });
    assert.deepEqual([next?.from, next?.to, next?.prev], [6, 8, segment?.head]);
    const verdict = verifyAudit(place.store);
    assert.deepEqual([verdict.ok, verdict.records, verdict.ok && verdict.first], [true, 1, 9]);
  });

  test("does not seal a broken chain, nor forget what could not be archived", () => {
    using place = make();
    for (let n = 1; n <= 40; n++) place.log.append(entry(n));
    const options = { now: 0, keptRecords: 10, segmentRecords: 10 };
    const archive = createAuditArchive(join(place.store.place, "within-a-file"));
    assert.throws(() => rotateAudit(place.store, place.log, { ...options, archive }), StateError);
    assert.deepEqual([verifyAudit(place.store).ok, verifyAudit(place.store).records], [true, 40]);
    tamper(
      place.store,
      "UPDATE audit_record SET body = replace(body, 'c3\"', 'x\"') WHERE seq = 3",
    );
    assert.throws(
      () => rotateAudit(place.store, place.log, options),
      /Cannot move records out of the audit log: the record 3 breaks the chain/,
    );
    assertBroken(verifyAudit(place.store), 3, /changed/);
    assert.throws(
      () => rotateAudit(place.store, place.log, { ...options, segmentRecords: 1 }),
      /expected at least 2/,
    );
  });
});

describe("createAuditFeature()", () => {
  const facts: CallFacts = {
    traceId: "ab".repeat(16),
    principal: "local",
    door: "shop",
    tool: "post_order",
    risk: "write",
    taskId: "t1",
    callId: "my-secret-1",
    args: { b: "my-secret-1", a: 1 },
    origin: "https://shop.example",
    at: 5,
  };
  const envelope: Envelope = {
    ok: false,
    code: "unavailable",
    retryable: true,
    attempts: 2,
    message: "m",
    hint: "h",
    data: null,
    warnings: [],
    replayed: false,
    task_id: "t1",
    call_id: "c1",
    trace_id: facts.traceId,
    duration_ms: 12.5,
  };

  function open(place: Place, options?: AuditOptions) {
    return createAuditFeature(options).open(place.store);
  }

  test("writes a record for the decision and one for the outcome, without a secret in them", () => {
    using place = make();
    const redactor = new Redactor();
    redactor.add("s", "my-secret-1");
    const hooks = open(place, { redactor });
    hooks.onDecision?.({ facts, at: 6.4, code: "ok", rule: undefined, grant: "g1" });
    hooks.onOutcome?.({ facts, at: 7, grant: "g1", envelope, steps: [], thrown: undefined });
    hooks.onDecision?.({
      facts,
      at: 8,
      code: "grant_required",
      rule: "a-write-has-a-grant",
      grant: undefined,
    });
    const bodies = Array.from(readAudit(place.store), ({ body }) => body);
    const who = {
      trace_id: facts.traceId,
      principal: "local",
      door: "shop",
      tool: "post_order",
      risk: "write",
      task_id: "t1",
      call_id: "secret://s",
      origin: "https://shop.example",
    };
    const args_sha256 = "a551364ca2487ada69680641a060af99c46811fd65fd4b0066233657f8ca7401";
    assert.deepEqual(
      bodies.map(({ args_sha256: _digest, ...rest }) => rest),
      [
        { seq: 1, kind: "decision", at: 6, ...who, code: "ok", grant: "g1" },
        {
          seq: 2,
          kind: "outcome",
          at: 7,
          ...who,
          code: "unavailable",
          grant: "g1",
          attempts: 2,
          duration_ms: 12.5,
        },
        {
          seq: 3,
          kind: "decision",
          at: 8,
          ...who,
          code: "grant_required",
          rule: "a-write-has-a-grant",
        },
      ],
    );
    assert.equal(bodies[0]?.["args_sha256"], args_sha256);
    assert.equal(verifyAudit(place.store).ok, true);
  });

  test("moves records out when it is opened, and tells when it cannot", () => {
    using place = make();
    for (let n = 1; n <= 12; n++) place.log.append(entry(n));
    const limits = { keptRecords: 2, segmentRecords: 5 };
    const troubles: StateError[] = [];
    const options = {
      limits,
      now: () => 0,
      onTrouble: (error: StateError) => troubles.push(error),
    };
    open(place, { ...options, archiveFolder: join(place.store.place, "x") });
    assert.match(troubles[0]?.message ?? "", /Cannot write the audit archive/);
    open(place, { ...options, archiveFolder: join(place.folder, "audit") });
    assert.deepEqual(readdirSync(join(place.folder, "audit")).toSorted(), [
      "audit-1-5.jsonl",
      "audit-6-10.jsonl",
    ]);
    assert.equal(troubles.length, 1);
  });

  test("does nothing without a state", () => {
    assert.deepEqual(createAuditFeature().open(undefined), {});
  });
});

describe("a grant that is given or revoked", () => {
  test("is in the log, with who and why, or not at all", () => {
    const folder = mkdtempSync(join(tmpdir(), "genkan-audit-"));
    {
      using store = openSqliteStore({ folder, migrations: [auditMigrations, grantMigrations] });
      const log = new AuditLog(store);
      const desk = { store, log, grants: new Grants(store, () => 7), now: () => 9 };
      const request = { task: "t1", tools: ["pay"], uses: 3, reason: "rent", givenBy: "ann" };
      const { id } = giveAuditedGrant(desk, request);
      const other = giveAuditedGrant(desk, { ...request, uses: 1 });
      desk.grants.take(id);
      assert.throws(() => giveAuditedGrant(desk, { ...request, reason: "" }), /it has no reason/);
      revokeAuditedGrants(desk, other.id, { by: "bob", reason: "not needed" });
      const [left] = revokeAuditedGrants(desk, "t1", { by: "bob", reason: "done" });
      assert.equal(left?.id, id);
      assert.deepEqual(revokeAuditedGrants(desk, "t1", { by: "bob", reason: "again" }), []);
      assert.deepEqual(
        Array.from(readAudit(store), ({ body: { act, grant, by, uses, reason, at } }) => [
          act,
          grant,
          by,
          uses,
          reason,
          at,
        ]),
        [
          ["given", id, "ann", 3, "rent", 7],
          ["given", other.id, "ann", 1, "rent", 7],
          ["revoked", other.id, "bob", 1, "not needed", 9],
          ["revoked", id, "bob", 2, "done", 9],
        ],
      );
      assert.equal(verifyAudit(store).ok, true);
    }
    rmSync(folder, { recursive: true, force: true });
  });
});
