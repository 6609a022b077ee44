import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { assertBroken, auditEntry, headOf, openAuditLog, tamper } from "../../fixtures/audit.ts";
import { formatAuditHead, parseAuditHead } from "./audit-head.ts";
import { readAudit } from "./audit-query.ts";
import { genesisHash, hashRecord } from "./audit-record.ts";
import { verifyAudit } from "./audit-verify.ts";

describe("the audit log", () => {
  test("ties each record to the one before, as anyone can compute", () => {
    using place = openAuditLog();
    assert.equal(place.log.head(), undefined);
    place.log.append(auditEntry(1));
    const head = place.log.append(auditEntry(2, { origin: "https://é.example" }));
    const [first, second] = [...readAudit(place.store)];
    assert.ok(first && second);
    const body =
      '{"at":1000,"attempts":1,"call_id":"c1","code":"ok","door":"shop","duration_ms":1.5,"kind":"outcome",' +
      '"principal":"local","risk":"read","seq":1,"task_id":"t1","tool":"post_order","trace_id":"00000000000000000000000000000001"}';
    assert.equal(first.hash, hashRecord(genesisHash, body));
    assert.deepEqual(head, { seq: 2, hash: second.hash });
    const unproven = undefined;
    assert.deepEqual(verifyAudit(place.store), { ok: true, records: 2, first: 1, head, unproven });
  });

  test("is verified while it is empty, and refuses a change through its own connection", () => {
    using place = openAuditLog();
    const nothing = { head: undefined, unproven: undefined };
    assert.deepEqual(verifyAudit(place.store), { ok: true, records: 0, first: 1, ...nothing });
    place.log.append(auditEntry(1));
    assert.throws(
      () => place.store.prepare("UPDATE audit_record SET body = '{}'").run(),
      /append-only/,
    );
  });

  test("a transaction that fails takes its records with it", () => {
    using place = openAuditLog();
    place.log.append(auditEntry(1));
    assert.throws(() =>
      place.store.transact(() => {
        place.log.append(auditEntry(2));
        throw new Error("no");
      }),
    );
    place.log.append(auditEntry(3));
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
      using place = openAuditLog();
      for (let n = 1; n <= 10; n++) place.log.append(auditEntry(n));
      tamper(place.store, ...sql);
      const verdict = verifyAudit(place.store);
      assertBroken(verdict, seq, reason);
      assert.equal(verdict.records, Math.max(0, seq - 1));
    });

  test("a changed record whose hash was made to fit breaks at the next one", () => {
    using place = openAuditLog();
    for (let n = 1; n <= 10; n++) place.log.append(auditEntry(n));
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
    using place = openAuditLog();
    for (let n = 1; n <= 10; n++) place.log.append(auditEntry(n));
    const expectedHead = headOf(place.log);
    assert.equal(verifyAudit(place.store, { expectedHead }).ok, true);
    place.log.append(auditEntry(11));
    assert.equal(verifyAudit(place.store, { expectedHead }).ok, true);
    tamper(place.store, "DELETE FROM audit_record WHERE seq > 8");
    assert.equal(verifyAudit(place.store).ok, true);
    assertBroken(
      verifyAudit(place.store, { expectedHead }),
      9,
      /ends at 8, expected it to go on to 10/,
    );
    place.log.append(auditEntry(9, { code: "refused" }));
    place.log.append(auditEntry(10));
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
    using place = openAuditLog();
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(new URL("sqlite-store.ts", import.meta.url).href)});
      const { AuditLog, auditMigrations } = await import(${JSON.stringify(new URL("audit-log.ts", import.meta.url).href)});
      using store = openSqliteStore({ folder: process.argv[1], migrations: [auditMigrations] });
      const log = new AuditLog(store);
      for (let n = 1; n <= 100; n++) log.append({ ...JSON.parse(process.argv[2]), at: Date.now(), call_id: process.argv[3] + n });`;
    const children = ["a", "b", "c"].map((name) =>
      spawn(
        process.execPath,
        ["--input-type=module", "-e", program, place.folder, JSON.stringify(auditEntry(1)), name],
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
