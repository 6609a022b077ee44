import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditEntry, openAuditLog } from "../../fixtures/audit.ts";
import { formatAuditRecord } from "./audit-format.ts";
import { readAudit, type AuditFilter } from "./audit-query.ts";

describe("readAudit()", () => {
  test("gives records in the order of time, by task, time and risk, over its pages", () => {
    using place = openAuditLog();
    place.store.transact(() => {
      for (let n = 1; n <= 1200; n++)
        place.log.append(auditEntry(n, n === 700 ? { at: 1500 } : {}));
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
    using place = openAuditLog();
    place.log.append(auditEntry(2, { task_id: "t\x1b[31m1\n", grant: "g1", code: "not_found" }));
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
