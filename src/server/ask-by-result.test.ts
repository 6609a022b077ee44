import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { metaOf, openPeer, type Line } from "../../fixtures/wire-script.ts";
import { createServer, ToolError, type Context, type Server, type ServerOptions } from "./index.ts";

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const question = { message: "Sure?", requestedSchema: { type: "object", properties: {} } } as const;
const yes = { action: "accept", content: { sure: true } };

function makeServer(
  run: (context: Context) => unknown,
  options: Partial<ServerOptions> = {},
): Server {
  return createServer({ name: "q", version: "1", report: () => {}, ...options }).addTool({
    name: "ask",
    input: { type: "object", properties: { n: { type: "integer" } } },
    run: (_args, context) => run(context),
  });
}

describe("requestState", () => {
  const twice = makeServer(async (context) => {
    const first = await context.elicit(question);
    const second = await context.elicit({ ...question, message: "Really?" });
    return `${first.action} ${second.action}`;
  });
  const open = () => openPeer(twice, "2026-07-28", everything);
  const call = { name: "ask", arguments: { n: 1 } };
  const key = (reply: Line): string => Object.keys(reply.result.inputRequests)[0] ?? "";
  const answering = (reply: Line, answer: unknown = yes): Line => ({
    ...call,
    requestState: reply.result.requestState,
    inputResponses: { [key(reply)]: answer },
  });

  test("two questions in a row take two rounds, also when each comes to another session", async () => {
    const first = await (await open()).request("tools/call", call);
    const second = await (await open()).request("tools/call", answering(first));
    assert.notEqual(key(first), key(second));
    const last = await (
      await open()
    ).request("tools/call", answering(second, { action: "cancel" }));
    assert.equal(last.result.content[0].text, "accept cancel");
    assert.equal(last.result.resultType, "complete");
  });

  test("a server elsewhere continues it by the same secret, and by no other", async () => {
    const makeHalf = (stateSecret: string) =>
      makeServer(async (context) => (await context.elicit(question)).action, { stateSecret });
    const first = await (
      await openPeer(makeHalf("s3cret"), "2026-07-28", everything)
    ).request("tools/call", call);
    const same = await (
      await openPeer(makeHalf("s3cret"), "2026-07-28", everything)
    ).request("tools/call", answering(first));
    assert.equal(same.result.content[0].text, "accept");
    const other = await (
      await openPeer(makeHalf("other"), "2026-07-28", everything)
    ).request("tools/call", answering(first));
    assert.equal(other.error.code, -32602);
  });

  test("a state that is altered, foreign, of another request or no text is refused with -32602", async () => {
    const peer = await open();
    const good = answering(await peer.request("tools/call", call));
    const [payload = "", signature = ""] = String(good.requestState).split(".");
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, "base64url").toString()), open: {} }),
    ).toString("base64url");
    for (const bad of [
      { ...good, requestState: `${forged}.${signature}` },
      {
        ...good,
        requestState: `${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      },
      { ...good, requestState: payload },
      { ...good, requestState: "" },
      { ...good, requestState: "…" },
      { ...good, requestState: null },
      { ...good, requestState: 5 },
      { ...good, arguments: { n: 2 } },
      { ...good, inputResponses: [] },
      { ...good, inputResponses: { [Object.keys(good.inputResponses)[0] ?? ""]: "yes" } },
    ]) {
      const { error } = await peer.request("tools/call", bad);
      assert.equal(error?.code, -32602, JSON.stringify(bad));
    }
    assert.equal((await peer.request("tools/call", good)).result.resultType, "input_required");
  });

  test("an expired state is refused with -32602", async () => {
    const late = makeServer((context) => context.elicit(question), {
      limits: { requestStateTtlMs: 1 },
    });
    const peer = await openPeer(late, "2026-07-28", everything);
    const asking = await peer.request("tools/call", call);
    await setTimeout(3);
    const { error } = await peer.request("tools/call", answering(asking));
    assert.match(error.message, /older than/);
  });

  for (const [what, asked, sent] of [
    ["a number beyond a double, asked as null", "null", "1e400"],
    ["a number beyond a double", "1e400", "1e400"],
    ["a negative one", "-1e400", "-1e400"],
    ["arguments nested too deep", "0", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ] as const) {
    test(`${what} cannot be approved: refused with -32602`, async () => {
      let runs = 0;
      const pay = createServer({ name: "q", version: "1", report: () => {} }).addTool({
        name: "pay",
        input: { type: "object", additionalProperties: true },
        run: async (_args, context) => {
          const { action } = await context.elicit(question);
          runs++;
          return action;
        },
      });
      const peer = await openPeer(pay, "2026-07-28", everything);
      const say = async (amount: string, more: object = {}): Promise<Line> => {
        const params = {
          name: "pay",
          arguments: { amount: "@" },
          _meta: metaOf(everything),
          ...more,
        };
        peer.say(
          JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }).replace(
            '"@"',
            amount,
          ),
        );
        return peer.next();
      };
      const first = await say(asked);
      if (asked !== "1e400" && asked !== "-1e400") {
        const inputResponses = { [key(first)]: yes };
        const { requestState } = first.result;
        assert.equal((await say(sent, { requestState, inputResponses })).error.code, -32602);
      } else {
        assert.equal(first.error.code, -32602);
      }
      assert.equal(runs, 0);
    });
  }

  test("a state of many dots is refused as any other", async () => {
    const peer = await open();
    const requestState = ".".repeat(1_000_000);
    const { error } = await peer.request("tools/call", { ...call, requestState });
    assert.match(error.message, /"requestState" is not valid: it was not made by this server/);
  });

  test("an answer nobody asked for is passed over, and a missing one is asked for again", async () => {
    const peer = await open();
    const first = await peer.request("tools/call", call);
    const { requestState } = first.result;
    const again = await peer.request("tools/call", {
      ...call,
      requestState,
      inputResponses: { other: yes, __proto__: yes },
    });
    assert.deepEqual(again.result.inputRequests, first.result.inputRequests);
    const without = await peer.request("tools/call", { ...call, requestState });
    assert.deepEqual(without.result.inputRequests, first.result.inputRequests);
    const early = await peer.request("tools/call", {
      ...call,
      inputResponses: { [key(first)]: yes },
    });
    assert.deepEqual(early.result.inputRequests, first.result.inputRequests);
  });

  test("a question that changed between two rounds is asked anew", async () => {
    let price = 1;
    const server = makeServer(
      async (context) => (await context.elicit({ ...question, message: `Pay ${price++}?` })).action,
    );
    const peer = await openPeer(server, "2026-07-28", everything);
    const first = await peer.request("tools/call", call);
    const second = await peer.request("tools/call", answering(first));
    assert.equal(second.result.inputRequests[key(second)].params.message, "Pay 2?");
  });

  test("keys of the author's own name the questions", async () => {
    const server = makeServer(
      async (context) => (await context.elicit(question, { key: "confirm" })).action,
    );
    const first = await (
      await openPeer(server, "2026-07-28", everything)
    ).request("tools/call", call);
    assert.deepEqual(first.result.inputRequests, {
      confirm: { method: "elicitation/create", params: question },
    });
  });

  describe("a question that accepts an early answer", () => {
    const server = makeServer(async (context) => {
      const early = await context.elicit(question, { key: "early", acceptEarly: true });
      const late = await context.elicit(question, { key: "late" });
      return `${early.action} ${late.action}`;
    });
    const openThis = () => openPeer(server, "2026-07-28", everything);

    test("is not asked when the answer came along, and what else came is passed over", async () => {
      const peer = await openThis();
      const inputResponses = { early: yes, late: yes, other: 5 };
      const first = await peer.request("tools/call", { ...call, inputResponses });
      assert.deepEqual(Object.keys(first.result.inputRequests), ["late"]);
      const last = await peer.request("tools/call", answering(first, { action: "cancel" }));
      assert.equal(last.result.content[0].text, "accept cancel");
    });

    test("is asked when no answer to it came along", async () => {
      const peer = await openThis();
      for (const inputResponses of [undefined, null, 5, [], {}, { other: yes }]) {
        const { result } = await peer.request("tools/call", { ...call, inputResponses });
        assert.deepEqual(Object.keys(result.inputRequests), ["early"]);
      }
    });

    test("refuses an answer that is no object with -32602", async () => {
      const peer = await openThis();
      const inputResponses = { early: 12345 };
      const { error } = await peer.request("tools/call", { ...call, inputResponses });
      assert.equal(error.code, -32602);
      assert.match(error.message, /"early" is the number 12345, expected an object/);
    });
  });

  test("a tool that swallows the interruption still asks, and nothing of what it made of it is sent", async () => {
    for (const swallow of [
      () => "swallowed",
      () => {
        throw new Error("secret");
      },
      () => {
        throw new ToolError("secret");
      },
    ]) {
      const server = makeServer((context) => context.elicit(question).catch(swallow));
      const { result } = await (
        await openPeer(server, "2026-07-28", everything)
      ).request("tools/call", call);
      assert.deepEqual(Object.keys(result).toSorted(), [
        "_meta",
        "inputRequests",
        "requestState",
        "resultType",
      ]);
    }
  });

  test("capabilities count by request: a retry that no longer declares one is refused with -32021", async () => {
    const peer = await open();
    const first = await peer.request("tools/call", call);
    peer.say({
      jsonrpc: "2.0",
      id: "retry",
      method: "tools/call",
      params: { ...answering(first), _meta: metaOf({}) },
    });
    assert.equal((await peer.next()).error.code, -32021);
  });
});
