import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { auditEntry, openAuditLog } from "../../../fixtures/audit.ts";
import { genkan } from "../../../fixtures/command-line.ts";
import { createAuditArchive, formatAuditHead, rotateAudit } from "../../gate/index.ts";

test("genkan audit verify proves the archives beside the state, or says which records it did not prove", async () => {
  using place = openAuditLog();
  const { folder, store, log } = place;
  for (let n = 1; n <= 30; n++) log.append(auditEntry(n));
  const archive = createAuditArchive(join(folder, "audit"));
  rotateAudit(store, log, { now: 0, keptRecords: 10, segmentRecords: 10, archive });
  const head = log.head();
  assert.ok(head);
  const end = `; the head is ${formatAuditHead(head)}\n`;

  const whole = await genkan("audit", "verify", "--state", folder);
  assert.deepEqual([whole.code, whole.stderr], [0, ""]);
  assert.equal(whole.stdout, `The chain holds: 32 records${end}`);

  rmSync(join(folder, "audit", "audit-1-10.jsonl"));
  const partly = await genkan("audit", "verify", "--state", folder);
  assert.equal(partly.code, 0);
  assert.equal(partly.stdout, `The chain holds: 22 records, from number 11 on${end}`);
  const why = `their archive "audit-1-10.jsonl" is not there`;
  assert.equal(partly.stderr, `Records up to 10 were not proven: ${why}\n`);
});
