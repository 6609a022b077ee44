import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertBroken, auditEntry, headOf, openAuditLog, tamper } from "../../fixtures/audit.ts";
import { createAuditArchive } from "./audit-archive.ts";
import { formatAuditHead } from "./audit-head.ts";
import { readAudit } from "./audit-query.ts";
import { rotateAudit } from "./audit-rotation.ts";
import { verifyAudit } from "./audit-verify.ts";
import { verifyAuditArchive } from "./audit-verify-archives.ts";
import { StateError } from "./state-error.ts";

const day = 24 * 3_600_000;

describe("rotateAudit()", () => {
  test("moves full segments out, and the chain goes on", () => {
    using place = openAuditLog();
    const archive = createAuditArchive(join(place.folder, "audit"));
    const options = { now: 0, keptRecords: 20, segmentRecords: 10, archive };
    for (let n = 1; n <= 29; n++) place.log.append(auditEntry(n));
    assert.deepEqual(rotateAudit(place.store, place.log, options), []);
    const before = headOf(place.log);
    for (let n = 30; n <= 41; n++) place.log.append(auditEntry(n));
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
    using place = openAuditLog();
    for (let n = 1; n <= 40; n++) place.log.append(auditEntry(n));
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
    using place = openAuditLog();
    const now = 400 * day;
    for (let n = 1; n <= 6; n++) place.log.append(auditEntry(n, { at: n === 6 ? now : n * 1000 }));
    const options = { keptMs: 365 * day, now };
    assert.deepEqual(
      rotateAudit(place.store, place.log, { ...options, now: 365 * day + 9000 }),
      [],
    );
    const [segment] = rotateAudit(place.store, place.log, options);
    assert.deepEqual([segment?.from, segment?.to, segment?.archive], [1, 5, null]);
    assert.deepEqual(rotateAudit(place.store, place.log, options), []);
    place.log.append(auditEntry(8, { at: now + 1 }));
    const [next] = rotateAudit(place.store, place.log, { ...options, now: now + 370 * day });
    assert.deepEqual([next?.from, next?.to, next?.prev], [6, 8, segment?.head]);
    const verdict = verifyAudit(place.store);
    assert.deepEqual([verdict.ok, verdict.records, verdict.ok && verdict.first], [true, 1, 9]);
  });

  test("does not seal a broken chain, nor forget what could not be archived", () => {
    using place = openAuditLog();
    for (let n = 1; n <= 40; n++) place.log.append(auditEntry(n));
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
