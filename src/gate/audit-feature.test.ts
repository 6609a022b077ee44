import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { auditEntry, openAuditLog, type AuditPlace } from "../../fixtures/audit.ts";
import { createAuditFeature, type AuditOptions } from "./audit-feature.ts";
import { giveAuditedGrant, revokeAuditedGrants } from "./audit-grants.ts";
import { AuditLog, auditMigrations } from "./audit-log.ts";
import { readAudit } from "./audit-query.ts";
import { verifyAudit } from "./audit-verify.ts";
import type { Envelope } from "./envelope.ts";
import type { CallFacts } from "./feature.ts";
import { grantMigrations, Grants } from "./grants.ts";
import { Redactor } from "./redactor.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { StateError } from "./state-error.ts";

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

  function open(place: AuditPlace, options?: AuditOptions) {
    return createAuditFeature(options).open(place.store);
  }

  test("writes a record for the decision and one for the outcome, without a secret in them", () => {
    using place = openAuditLog();
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
    using place = openAuditLog();
    for (let n = 1; n <= 12; n++) place.log.append(auditEntry(n));
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
