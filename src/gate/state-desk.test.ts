import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder, openDesk, textTool } from "../../fixtures/gate.ts";
import { createFeatures } from "./features.ts";
import { formatAuditRecord, openStateDesk, readAudit, verifyAudit } from "./index.ts";

test("a state can be looked at, and grants given, while a server uses it", async () => {
  const folder = makeFolder();
  const put = textTool("put", "write", (text) => text);
  await using server = await openDesk([put], {
    stateDir: folder,
    features: createFeatures({ stateDir: folder }),
  });
  using desk = openStateDesk(folder);
  const ids = { text: "x", task_id: "t1" };
  assert.equal((await server.call("put", { ...ids, call_id: "c1" })).code, "grant_required");
  desk.giveGrant({ task: "t1", tools: ["put"], uses: 2, reason: "a test", givenBy: "ann" });
  assert.equal((await server.call("put", { ...ids, call_id: "c2" })).code, "ok");
  desk.revokeGrants("t1", { by: "ann", reason: "enough" });
  assert.equal((await server.call("put", { ...ids, call_id: "c3" })).code, "grant_required");
  const lines = Array.from(readAudit(desk.store, { task: "t1" }), formatAuditRecord);
  const words = lines.map((line) =>
    line
      .split("  ")
      .slice(2)
      .join(" ")
      .replaceAll(/[0-9a-f]{10}/g, "ID"),
  );
  assert.deepEqual(words, [
    "decision local t1 shop/put write grant_required rule writes-have-a-grant",
    "grant ann t1 given ID",
    "decision local t1 shop/put write ok grant ID",
    "outcome local t1 shop/put write ok grant ID",
    "grant ann t1 revoked ID",
    "decision local t1 shop/put write grant_required rule writes-have-a-grant",
  ]);
  assert.equal(verifyAudit(desk.store).ok, true);
  const codes = desk.traces.list({ task: "t1" }).map(({ callId, code }) => [callId, code]);
  assert.deepEqual(codes, [
    ["c1", "grant_required"],
    ["c2", "ok"],
    ["c3", "grant_required"],
  ]);
});

test("a state that nobody has made is not made by looking at it", () => {
  const folder = makeFolder();
  assert.throws(
    () => openStateDesk(join(folder, "none")),
    /there is none, expected one that a gate has made/,
  );
  assert.equal(existsSync(join(folder, "none")), false);
  rmSync(folder, { recursive: true, force: true });
});
