import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk, textTool } from "../../fixtures/gate.ts";
import type { Decision, Outcome } from "./index.ts";

const ids = { task_id: "t1", call_id: "c1" };

test("features record a decision and an outcome, seal what leaves, and resolve secrets", async () => {
  const decisions: Decision[] = [];
  const outcomes: Outcome[] = [];
  const feature = {
    name: "spy",
    migrations: { feature: "spy", steps: ["CREATE TABLE spy (a TEXT) STRICT"] },
    open: (store: { prepare(sql: string): { run(value: string): unknown } } | undefined) => {
      const insert = store!.prepare("INSERT INTO spy VALUES (?)");
      return {
        onDecision: (decision: Decision) => {
          decisions.push(decision);
          insert.run(decision.code);
        },
        onOutcome: (outcome: Outcome) => {
          outcomes.push(outcome);
          insert.run(outcome.envelope.code);
        },
        seal: <Sealed extends object>(envelope: Sealed) => ({ ...envelope, hint: "sealed" }),
        resolveSecret: (reference: string) => `value of ${reference}`,
      };
    },
  };
  const tell = async (
    _text: string,
    call: {
      secret(name: string): Promise<string>;
      step(name: string, work: () => string): Promise<string>;
    },
  ) => {
    const secret = await call.secret("secret://mail");
    return call.step("compare", () => String(secret === "value of secret://mail"));
  };
  await using desk = await openDesk(
    [textTool("tell", "write", tell), textTool("get", "read", tell)],
    { features: [feature] },
  );
  const grant = desk.grant("t1", ["tell"]);
  await desk.call("tell", { ...ids, call_id: "c0", text: 5 });
  const told = await desk.call("tell", ids);
  assert.deepEqual([told.data, told.hint], [{ text: "true" }, "sealed"]);
  assert.deepEqual(await desk.call("tell", ids), { ...told, replayed: true });
  await desk.call("tell", { ...ids, call_id: "c2" });
  await desk.call("get");
  assert.deepEqual(
    decisions.map(({ code, rule, grant: used, facts: { tool } }) => [tool, code, rule, used]),
    [
      ["tell", "invalid_arguments", "arguments-fit-the-schema", undefined],
      ["tell", "ok", undefined, grant],
      ["tell", "grant_required", "writes-have-a-grant", undefined],
      ["get", "ok", undefined, undefined],
    ],
  );
  assert.deepEqual(
    outcomes.map(({ envelope, steps }) => [
      envelope.code,
      steps.map(({ name, index, attempt, code }) => [name, index, attempt, code]),
    ]),
    [
      ["ok", [["compare", 1, 1, "ok"]]],
      ["ok", [["compare", 1, 1, "ok"]]],
    ],
  );
  assert.equal(desk.gate.store.prepare("SELECT count(*) AS n FROM spy").get()?.["n"], 6);
});

test("a feature that has a fault ends a call with internal_error, and the fault is told to the operator alone", async () => {
  const broken = {
    name: "broken",
    open: () => ({
      seal: () => {
        throw new Error("hunter2");
      },
    }),
  };
  const tools = [textTool("get", "read", () => "x"), textTool("send", "write", () => "x")];
  await using desk = await openDesk(tools, { features: [broken] });
  desk.grant("t1", ["send"]);
  for (const [name, args] of [
    ["get", {}],
    ["send", ids],
  ] as const) {
    const envelope = await desk.call(name, args);
    assert.deepEqual([envelope.code, envelope.message], ["internal_error", "The tool has a fault"]);
  }
  assert.equal(desk.reports.filter((text) => text.includes("hunter2")).length, 2);
});

test("without a feature for them there are no secrets", async () => {
  await using desk = await openDesk([
    textTool("get", "read", (_text, call) => call.secret("secret://mail")),
  ]);
  assert.equal((await desk.call("get")).code, "internal_error");
  assert.match(desk.reports.join(), /Cannot resolve "secret:\/\/mail": this gate has no secrets/);
});
