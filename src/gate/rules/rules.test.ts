import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { defaultGateLimits } from "../limits.ts";
import { stages, type Example, type Situation } from "./rule.ts";
import { judge, rules } from "./rules.ts";

const ordinary: Situation = {
  facts: {
    traceId: "0".repeat(32),
    principal: "local",
    door: "shop",
    tool: "get_order",
    risk: "read",
    taskId: undefined,
    callId: undefined,
    args: { order: 7 },
    origin: undefined,
    at: 0,
  },
  now: new Date(2026, 0, 15, 12).getTime(),
  conduct: {},
  limits: defaultGateLimits,
  grants: [],
  task: undefined,
  principal: { calls: 0, ms: 0, bytes: 0 },
  rate: { left: 600, moreInMs: 0 },
};

function situate({ facts, situation }: Example): Situation {
  return { ...ordinary, ...situation, facts: { ...ordinary.facts, ...facts } };
}

for (const rule of rules) {
  describe(rule.id, () => {
    for (const example of rule.allows)
      test(`allows ${example.name}`, () => assert.equal(rule.judge(situate(example)), undefined));
    for (const example of rule.refuses)
      test(`refuses ${example.name}`, () => {
        const refusal = rule.judge(situate(example));
        assert.equal(refusal?.code, example.code);
        assert.ok(refusal?.message.includes(example.text), refusal?.message);
      });
  });
}

test("every rule is a file of its name, is listed, and has examples of both kinds", () => {
  const files = globSync("*.ts", { cwd: import.meta.dirname }).filter(
    (file) =>
      !file.endsWith(".test.ts") &&
      readFileSync(new URL(file, import.meta.url), "utf8").includes(": Rule = {"),
  );
  assert.deepEqual(files.toSorted(), rules.map(({ id }) => `${id}.ts`).toSorted());
  for (const { allows, refuses } of rules) assert.ok(allows.length > 0 && refuses.length > 0);
});

test("the stages come in their order, and the first refusal stands", () => {
  const places = rules.map(({ stage }) => stages.indexOf(stage));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  const denied = { conduct: { deniedTools: ["get_order"] }, rate: { left: 0, moreInMs: 1 } };
  assert.equal(judge({ ...ordinary, ...denied }, rules)?.rule, "tool-is-permitted");
  assert.equal(judge(ordinary, rules), undefined);
});
