import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { text } from "node:stream/consumers";
import {
  makeFolder,
  openDesk,
  textTool,
  type Desk,
  type DeskOptions,
} from "../../fixtures/gate.ts";
import type { Envelope, Outcome } from "./index.ts";

const worker = new URL("../../fixtures/gate-worker.ts", import.meta.url).pathname;
const ids = { task_id: "t1", call_id: "c1" };

function startWorker(folder: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [worker, folder, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function runWorker(
  folder: string,
  ...args: readonly string[]
): Promise<{ output: string; signal: unknown }> {
  const child = startWorker(folder, ...args);
  const [output, [, signal]] = await Promise.all([text(child.stdout!), once(child, "exit")]);
  return { output, signal };
}

function effectsIn(folder: string): readonly string[] {
  const path = join(folder, "effects.txt");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

/** This process's own gate on the folder, with the worker's tool. */
function openHere(folder: string, again: () => void, options: DeskOptions = {}): Promise<Desk> {
  const send = textTool(
    "send",
    "write",
    (said) => {
      again();
      return said;
    },
    { findOut: "Read effects.txt", origin: () => "https://a.example" },
  );
  return openDesk([send], { stateDir: folder, isKept: true, ...options });
}

async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = makeFolder();
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function grantIn(folder: string, uses: number): Promise<void> {
  await using desk = await openDesk([], { stateDir: folder, isKept: true });
  desk.grant("t1", ["send"], uses);
}

describe("a process that is killed by SIGKILL", () => {
  for (const [point, expected, effects] of [
    ["before the intent", "runs", 0],
    ["while the intent is stored", "runs", 0],
    ["before the effect", "outcome_unknown", 0],
    ["after the effect", "outcome_unknown", 1],
    ["while the outcome is stored", "outcome_unknown", 1],
    ["after the outcome", "replay", 1],
  ] as const)
    test(`${point}: the same call ends with ${expected} after the restart`, () =>
      inFolder(async (folder) => {
        await grantIn(folder, 1);
        assert.equal((await runWorker(folder, "die", point)).signal, "SIGKILL");
        assert.equal(effectsIn(folder).length, effects);

        let runs = 0;
        const outcomes: Outcome[] = [];
        const spy = {
          name: "spy",
          open: () => ({ onOutcome: (outcome: Outcome) => outcomes.push(outcome) }),
        };
        await using desk = await openHere(folder, () => runs++, { features: [spy] });
        assert.equal(desk.gate.grants.list()[0]?.used, expected === "runs" ? 0 : 1);
        assert.deepEqual(
          outcomes.map(({ envelope: { code }, facts: { callId } }) => [code, callId]),
          expected === "outcome_unknown" ? [["outcome_unknown", "c1"]] : [],
        );
        for (let time = 1; time <= 2; time++) {
          const envelope = await desk.call("send", { ...ids, text: "sent" });
          if (expected === "outcome_unknown") {
            assert.deepEqual(
              [envelope.code, envelope.retryable, envelope.hint],
              ["outcome_unknown", false, "Read effects.txt"],
            );
            continue;
          }
          assert.deepEqual([envelope.code, envelope.data], ["ok", { text: "sent" }]);
          assert.equal(envelope.replayed, expected === "replay" || time === 2);
        }
        assert.equal(runs, expected === "runs" ? 1 : 0);
        await desk[Symbol.asyncDispose]();
        if (expected === "outcome_unknown")
          assert.deepEqual(readdirSync(join(folder, "runners")), []);
      }));

  test("while another waits for its work: that one is told that the outcome is unknown", () =>
    inFolder(async (folder) => {
      await grantIn(folder, 1);
      const child = startWorker(folder, "hold");
      await once(child.stdout!, "data");
      await using desk = await openHere(folder, () => assert.fail("It was done twice"));
      const waiting = desk.call("send", { ...ids, text: "sent" });
      assert.equal(
        (await desk.call("send", { ...ids, text: "other" })).code,
        "idempotency_conflict",
      );
      child.kill("SIGKILL");
      assert.equal((await waiting).code, "outcome_unknown");
    }));
});

test("three processes on one state lose nothing, do nothing twice, and take no use too many", () =>
  inFolder(async (folder) => {
    const count = 25;
    await grantIn(folder, 4 * count);
    const names = ["ann", "bob", "cid"];
    const outputs = await Promise.all(
      names.map((name) => runWorker(folder, "work", name, String(count))),
    );
    const answers = outputs.map(({ output }): readonly Envelope[] => JSON.parse(output));
    for (const envelope of answers.flat()) assert.equal(envelope.code, "ok", envelope.message);
    const expected = [...names, "shared"].flatMap((name) =>
      Array.from({ length: count }, (_, n) => `${name}-${n}`),
    );
    assert.deepEqual(effectsIn(folder).toSorted(), expected.toSorted());
    for (const own of answers) {
      const shared = own.filter(({ call_id }) => call_id?.startsWith("shared") === true);
      assert.deepEqual(
        shared.map(({ trace_id }) => trace_id),
        answers[0]
          ?.filter(({ call_id }) => call_id?.startsWith("shared") === true)
          .map(({ trace_id }) => trace_id),
      );
    }
    await using desk = await openHere(folder, () => assert.fail("It was done twice"));
    assert.equal(desk.gate.grants.list()[0]?.used, 4 * count);
    assert.equal(
      (await desk.call("send", { task_id: "t1", call_id: "new", text: "x" })).code,
      "grant_required",
    );
    const total = desk.gate.store
      .prepare("SELECT calls FROM usage_total WHERE scope = 'task t1'")
      .get();
    assert.equal(total?.["calls"], 4 * count);
    assert.equal(readdirSync(join(folder, "runners")).length, 1);
  }));

test("work that does not end in time when the gate is disposed of is unknown", () =>
  inFolder(async (folder) => {
    await grantIn(folder, 1);
    const stuck = textTool("send", "write", () => new Promise(() => {}));
    const desk = await openDesk([stuck], {
      stateDir: folder,
      isKept: true,
      limits: { drainMs: 1 },
    });
    void desk.call("send", ids);
    await new Promise(setImmediate);
    await desk[Symbol.asyncDispose]();
    await using here = await openHere(folder, () => assert.fail("It was done twice"));
    assert.equal((await here.call("send", ids)).code, "outcome_unknown");
  }));
