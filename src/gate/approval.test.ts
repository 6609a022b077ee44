// A person at a trusted client allows one write, with the arguments that were shown; nobody else's answer allows anything.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openDesk, textTool, type Desk, type DeskOptions } from "../../fixtures/gate.ts";
import { openPeer, type Line, type Version, type WireScript } from "../../fixtures/wire-script.ts";
import { UsageError } from "../protocol/index.ts";
import { createFeatures, openGate, readAudit, ToolFailure } from "./index.ts";

const forms = { elicitation: {} };
const yes = { action: "accept", content: { decision: "approve once" } };
const eras = ["2025-11-25", "2026-07-28"] as const;

interface Approving extends Desk {
  readonly ran: string[];
}

async function openApproving(
  options: DeskOptions = {},
  run = (text: string): unknown => text,
): Promise<Approving> {
  const ran: string[] = [];
  const send = textTool("send", "write", (text) => {
    ran.push(text);
    return run(text);
  });
  const desk = await openDesk([send, textTool("get", "read", (text) => text)], {
    approval: { trustedClients: ["local"] },
    ...options,
  });
  return Object.assign(desk, { ran });
}

/** Calls, answers every question, and gives the envelope with what was asked and what was sent last. */
async function converse(
  peer: WireScript,
  args: object,
  answer: unknown,
  name = "send",
): Promise<{ readonly envelope: Line; readonly asked: Line[]; readonly last: object }> {
  const asked: Line[] = [];
  const call = { name, arguments: { task_id: "t1", call_id: "c1", ...args } };
  let last: object = call;
  for (peer.start("tools/call", last); ;) {
    const line = await peer.next();
    if (line.method === "elicitation/create") {
      asked.push(line.params);
      peer.say({ jsonrpc: "2.0", id: line.id, result: answer });
    } else if (line.result?.resultType === "input_required") {
      const { inputRequests, requestState } = line.result;
      const [key = ""] = Object.keys(inputRequests);
      asked.push(inputRequests[key].params);
      last = { ...call, requestState, inputResponses: { [key]: answer } };
      peer.start("tools/call", last);
    } else return { envelope: line.result.structuredContent, asked, last };
  }
}

for (const version of eras) {
  describe(`with ${version}`, () => {
    test("a person is shown the call, and an acceptance lets it run once", async () => {
      await using desk = await openApproving();
      const peer = await openPeer(desk.server, version, forms);
      const { envelope, asked } = await converse(peer, { text: "a\n\u202Eb" }, yes);
      assert.deepEqual([envelope.code, desk.ran], ["ok", ["a\n\u202Eb"]]);
      assert.equal(asked.length, 1);
      assert.equal(
        asked[0].message,
        'A model wants to run "send", which changes something.\nTask: t1, call: c1\nArguments:\n  text: "a\\nb"',
      );
      assert.deepEqual(asked[0].requestedSchema.properties.decision.enum, [
        "approve once",
        "refuse",
      ]);
      const again = await converse(peer, { text: "a\n\u202Eb" }, yes);
      assert.deepEqual([again.envelope.replayed, again.asked, desk.ran.length], [true, [], 1]);
      const [grant, ...others] = desk.gate.grants.list();
      assert.deepEqual(
        [grant?.givenBy, grant?.principal, grant?.uses, grant?.used, others],
        ["client:local", "local", 1, 1, []],
      );
      const next = await converse(peer, { call_id: "c2" }, { action: "decline" });
      assert.deepEqual([next.envelope.code, next.asked.length], ["grant_required", 1]);
    });

    for (const [what, answer, message] of [
      ["a refusal", { action: "decline" }, /refused "send"/],
      [
        "the choice to refuse",
        { action: "accept", content: { decision: "refuse" } },
        /refused "send"/,
      ],
      ["an acceptance without a choice", { action: "accept" }, /refused "send"/],
      ["a person who does not decide", { action: "cancel" }, /did not decide/],
    ] as const) {
      test(`${what} gives no grant`, async () => {
        await using desk = await openApproving();
        const peer = await openPeer(desk.server, version, forms);
        const { envelope } = await converse(peer, {}, answer);
        assert.equal(envelope.code, "grant_required");
        assert.match(envelope.message, message);
        assert.deepEqual([desk.ran, desk.gate.grants.list()], [[], []]);
      });
    }

    for (const [what, options, capabilities] of [
      [
        "a caller who is not trusted",
        { approval: { trustedClients: ["bob"] } satisfies DeskOptions["approval"] },
        forms,
      ],
      ["a client without elicitation", {}, {}],
      ["a client that shows web pages alone", {}, { elicitation: { url: {} } }],
    ] as const) {
      test(`${what} is not asked, and an answer is no grant`, async () => {
        await using desk = await openApproving(options);
        const peer = await openPeer(desk.server, version, capabilities);
        const { envelope, asked } = await converse(peer, {}, yes);
        assert.deepEqual([envelope.code, asked], ["grant_required", []]);
        assert.match(envelope.hint, /genkan grant t1 --tools send/);
        const early = await peer.request("tools/call", {
          name: "send",
          arguments: { task_id: "t1", call_id: "c2" },
          inputResponses: { "genkan-approval": yes },
        });
        assert.equal(early.result.structuredContent.code, "grant_required");
        assert.deepEqual([desk.ran, desk.gate.grants.list()], [[], []]);
      });
    }

    test("nobody is asked for a read, for a write with a grant, or for one that is refused anyway", async () => {
      await using desk = await openApproving({
        limits: { taskCalls: 2 },
        conduct: { maxima: { "send.text": 3 } },
      });
      const peer = await openPeer(desk.server, version, forms);
      desk.grant("t1", ["send"]);
      for (const [name, args, code] of [
        ["get", { call_id: "r" }, "ok"],
        ["send", { text: "abcd" }, "conduct_refused"],
        ["send", { text: "abc" }, "ok"],
        ["send", { call_id: "c2" }, "budget_exhausted"],
      ] as const) {
        const { envelope, asked } = await converse(peer, args, yes, name);
        if (code === "budget_exhausted")
          assert.deepEqual([envelope.ok, asked], [false, []], "a budget is no matter of grants");
        else assert.deepEqual([envelope.code, asked], [code, []]);
      }
    });

    test("a call that did nothing is made again by the same answer, and by no other arguments", async () => {
      let failures = 0;
      await using desk = await openApproving({ limits: { attempts: 1 } }, (text) => {
        if (text === "a" && failures++ === 0)
          throw new ToolFailure("unavailable", "Down", { effect: "none" });
        return text;
      });
      const peer = await openPeer(desk.server, version, forms);
      const first = await converse(peer, { text: "a" }, yes);
      assert.equal(first.envelope.code, "unavailable");
      for (const args of [{ text: "b" }, { text: "a", call_id: "c2" }]) {
        const other = await converse(peer, args, { action: "decline" });
        assert.deepEqual([other.envelope.code, other.asked.length], ["grant_required", 1]);
      }
      const again = await converse(peer, { text: "a" }, yes);
      assert.deepEqual([again.envelope.code, again.asked], ["ok", []]);
      assert.equal(desk.gate.grants.list().length, 1);
    });

    test("the audit log says who gave the grant, before the decision that used it", async () => {
      await using desk = await openApproving({ features: createFeatures({ stateDir: "unused" }) });
      const peer = await openPeer(desk.server, version, forms);
      await converse(peer, {}, yes);
      const [given = {}, decision = {}, outcome = {}] = [...readAudit(desk.gate.store)].map(
        ({ body }) => body,
      );
      assert.deepEqual(
        ["kind", "act", "by", "uses", "task_id", "tools"].map((name) => given[name]),
        ["grant", "given", "client:local", 1, "t1", ["send"]],
      );
      assert.deepEqual(
        [decision["kind"], decision["code"], decision["grant"], outcome["kind"], outcome["grant"]],
        ["decision", "ok", given["grant"], "outcome", given["grant"]],
      );
    });
  });
}

test("an answer that is sent again gives no second use: not for the call, nor when its grant has expired", async () => {
  let now = Date.now();
  let isDown = true;
  await using desk = await openApproving(
    {
      now: () => now,
      limits: { attempts: 1 },
      approval: { trustedClients: ["local"], forMs: 100 },
    },
    (text) => {
      if (isDown) throw new ToolFailure("unavailable", "Down", { effect: "none" });
      return text;
    },
  );
  const version: Version = "2026-07-28";
  const peer = await openPeer(desk.server, version, forms);
  const { last } = await converse(peer, {}, yes);
  isDown = false;
  now += 100;
  const late = await peer.request("tools/call", last);
  assert.equal(late.result.structuredContent.code, "grant_required");
  now -= 1;
  for (const replayed of [false, true, true]) {
    const { result } = await peer.request("tools/call", last);
    assert.deepEqual(
      [result.structuredContent.code, result.structuredContent.replayed],
      ["ok", replayed],
    );
  }
  const elsewhere = await peer.request("tools/call", {
    ...last,
    arguments: { task_id: "t1", call_id: "c2" },
  });
  assert.equal(elsewhere.error.code, -32602);
  assert.deepEqual([desk.ran.length, desk.gate.grants.list().length], [2, 1]);
});

test("the same call with one answer, sent twice at once, runs once by one grant", async () => {
  await using desk = await openApproving();
  const peer = await openPeer(desk.server, "2025-11-25", forms);
  const call = { name: "send", arguments: { task_id: "t1", call_id: "c1" } };
  peer.start("tools/call", call, "a");
  peer.start("tools/call", call, "b");
  const questions = [await peer.next(), await peer.next()];
  for (const { id } of questions) peer.say({ jsonrpc: "2.0", id, result: yes });
  const ends = [await peer.next(), await peer.next()];
  assert.deepEqual(
    ends.map(({ result }) => result.structuredContent.code),
    ["ok", "ok"],
  );
  assert.deepEqual([desk.ran.length, desk.gate.grants.list().length], [1, 1]);
});

test("a client that answers with an error decides nothing, and what cannot be read is refused with -32602", async () => {
  await using desk = await openApproving();
  const peer = await openPeer(desk.server, "2025-11-25", forms);
  const call = { name: "send", arguments: { task_id: "t1", call_id: "c1" } };
  peer.start("tools/call", call);
  peer.say({ jsonrpc: "2.0", id: (await peer.next()).id, error: { code: 1, message: "no" } });
  assert.match((await peer.next()).result.structuredContent.message, /did not decide/);
  peer.start("tools/call", call);
  peer.say({ jsonrpc: "2.0", id: (await peer.next()).id, result: { action: "maybe" } });
  assert.equal((await peer.next()).error.code, -32602);
  assert.deepEqual([desk.ran, desk.reports], [[], []]);
});

test("a time that no grant may have is refused when the gate opens", () => {
  for (const forMs of [0, 1.5, 604_800_001])
    assert.throws(
      () => openGate({ stateDir: "unused", approval: { trustedClients: [], forMs } }),
      (thrown) => thrown instanceof UsageError && thrown.code === "invalid-approval",
    );
});
