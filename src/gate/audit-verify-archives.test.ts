import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  assertBroken,
  auditEntry,
  headOf,
  openAuditLog,
  type AuditPlace,
} from "../../fixtures/audit.ts";
import { parseSegment } from "./audit-anchor.ts";
import { createArchiveReader, createAuditArchive } from "./audit-archive.ts";
import { rotateAudit, type Archive } from "./audit-rotation.ts";
import type { AuditVerdict } from "./audit-verdict.ts";
import { verifyAudit } from "./audit-verify.ts";

/** Six segments of ten and seven records: what tells of the first segments was moved out itself. Gives the head of each time. */
function fill({ store, log, folder }: AuditPlace, archive?: Archive): readonly string[] {
  const limits = { now: 0, keptRecords: 5, segmentRecords: 10 };
  return Array.from({ length: 61 }, (_, n) => {
    log.append(auditEntry(n + 1));
    const head = headOf(log);
    rotateAudit(store, log, { ...limits, archive: archive ?? createAuditArchive(folder) });
    return head;
  });
}

function verify({ store, folder }: AuditPlace, expectedHead?: string): AuditVerdict {
  return verifyAudit(store, { expectedHead, readArchive: createArchiveReader(folder) });
}

/** As somebody would who has the files. */
function edit({ folder }: AuditPlace, name: string, change: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

describe("verifyAudit() with archives", () => {
  test("proves every record there ever was", () => {
    using place = openAuditLog();
    const heads = fill(place);
    const head = place.log.head();
    assert.deepEqual(verify(place), { ok: true, records: 67, first: 1, head, unproven: undefined });
    for (const expectedHead of heads) assert.equal(verify(place, expectedHead).ok, true);
    const withoutThem = verifyAudit(place.store);
    assert.deepEqual(withoutThem, {
      ok: true,
      records: 7,
      first: 61,
      head,
      unproven: 'moved out to "audit-51-60.jsonl" or before',
    });
  });

  test("says from where on it could not go back", () => {
    using place = openAuditLog();
    const [first = ""] = fill(place);
    rmSync(join(place.folder, "audit-1-10.jsonl"));
    const unproven = 'their archive "audit-1-10.jsonl" is not there';
    const verdict = verify(place);
    assert.ok(verdict.ok);
    assert.deepEqual([verdict.records, verdict.first, verdict.unproven], [57, 11, unproven]);
    const reason = /not here to be compared: their archive .+, expected the head of record 10 or/;
    assertBroken(verify(place, first), 1, reason);
    rmSync(join(place.folder, "audit-51-60.jsonl"));
    assert.equal(verify(place).records, 7);
  });

  test("says that nobody kept what was moved out", () => {
    using place = openAuditLog();
    for (let n = 1; n <= 20; n++) place.log.append(auditEntry(n));
    rotateAudit(place.store, place.log, { now: 0, keptRecords: 10, segmentRecords: 10 });
    const verdict = verify(place);
    assert.deepEqual([verdict.ok, verdict.records], [true, 11]);
    assert.equal(verdict.ok && verdict.unproven, "moved out and kept nowhere");
  });

  test("names the record that was changed, removed or cut off in an archive, however old", () => {
    using place = openAuditLog();
    const heads = fill(place);
    const name = "audit-11-20.jsonl";
    const whole = readFileSync(join(place.folder, name), "utf8");
    edit(place, name, (text) => text.replace('"c12"', '"c99"'));
    assertBroken(verify(place), 11, /or another up to 20, was changed in the archive/);
    edit(place, name, () => whole.split("\n").toSpliced(4, 1).join("\n"));
    assertBroken(verify(place), 15, /missing in the archive/);
    edit(place, name, () => whole.split("\n").slice(0, 5).join("\n"));
    assertBroken(verify(place), 15, /the archive ends at 14, expected 20/);
    edit(place, name, () => whole);
    const [, second = ""] = heads;
    assertBroken(verify(place, second.replace(/.{8}$/, "00000000")), 2, /not the expected one/);
  });

  test("takes no other file for an archive, and no segment that does not go back", () => {
    using place = openAuditLog();
    writeFileSync(join(place.folder, "other.jsonl"), "");
    const read = createArchiveReader(join(place.folder, "none"));
    assert.deepEqual(
      ["../other.jsonl", "../../etc/passwd", "audit-1-2.jsonl"].map((name) => read(name)),
      [undefined, undefined, undefined],
    );
    const segment = { kind: "segment", from: 1, to: 2, prev: "p", head: "h", archive: null };
    assert.deepEqual(parseSegment(JSON.stringify(segment))?.to, 2);
    for (const wrong of [{ from: 3 }, { from: 0 }, { to: "2" }, { prev: 1 }, { kind: "outcome" }])
      assert.equal(parseSegment(JSON.stringify({ ...segment, ...wrong })), undefined);
  });
});
