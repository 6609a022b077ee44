// What happens when a result asks for input (2026-07-28).

import assert from "node:assert/strict";
import { test } from "node:test";
import { maxInputRounds } from "./input-rounds.ts";
import { connectStateless, type Peer, type Sent } from "./wire-peer.test.ts";

const question =
  '{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}';

/** JSON by its type, and none. */
const unwritable: Readonly<Record<string, string>> = JSON.parse("{}", () => ({
  toJSON: () => {
    throw new Error("no JSON");
  },
}));

function askFor(peer: Peer, { id }: Sent, inputRequests: string, requestState?: string): void {
  const state = requestState === undefined ? "" : `,"requestState":${requestState}`;
  peer.write(
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":${inputRequests}${state}}}\n`,
  );
}

function finish(peer: Peer, { id }: Sent): void {
  peer.write(
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[],"contents":[],"ttlMs":60000}}\n`,
  );
}

test("the request is sent again with a new id, the answers and the exact state", async () => {
  const [client, peer] = await connectStateless(
    (message, wire) =>
      message.params?.["inputResponses"] === undefined
        ? askFor(
            wire,
            message,
            `{"who":${question},"where":{"method":"roots/list"}}`,
            '"a\\u00e9=="',
          )
        : finish(wire, message),
    {
      handlers: {
        elicit: ({ message }) => ({ action: "accept", content: { name: message } }),
        listRoots: () => ({ roots: [] }),
      },
    },
  );
  await client.callTool("greet", { a: 1 });
  await client.close();
  const [, first, second] = peer.lines.map((line): Sent => JSON.parse(line));
  assert.deepEqual([first?.id, second?.id], [2, 3]);
  const { inputResponses, requestState, ...rest } = second?.params ?? {};
  assert.deepEqual(rest, first?.params);
  assert.deepEqual(inputResponses, {
    who: { action: "accept", content: { name: "Who?" } },
    where: { roots: [] },
  });
  assert.equal(requestState, "aé==");
});

test("a result without requestState is answered without one", async () => {
  const [client, peer] = await connectStateless(
    (message, wire) =>
      message.params?.["inputResponses"] === undefined
        ? askFor(wire, message, `{"who":${question}}`)
        : finish(wire, message),
    { handlers: { elicit: () => ({ action: "decline" }) } },
  );
  await client.callTool("greet");
  await client.close();
  assert.ok(!(peer.lines.at(-1) ?? "").includes("requestState"));
});

test("a missing handler is named, with what to type", async () => {
  const [client] = await connectStateless((message, wire) =>
    askFor(wire, message, `{"who":${question}}`),
  );
  await assert.rejects(client.callTool("greet"), {
    code: "no-handler",
    message:
      'Cannot call "tools/call greet": the server asks for elicitation/create, expected a handler for it',
    hint: { option: "handlers", value: "elicit" },
  });
  await client.close();
});

for (const rounds of [maxInputRounds - 1, maxInputRounds, maxInputRounds + 1]) {
  test(`${rounds} rounds of input ${rounds <= maxInputRounds ? "end in the result" : "are over the limit"}`, async () => {
    let asked = 0;
    const [client] = await connectStateless(
      (message, wire) =>
        asked++ < rounds ? askFor(wire, message, `{"who":${question}}`) : finish(wire, message),
      { handlers: { elicit: () => ({ action: "cancel" }) } },
    );
    const calling = client.callTool("greet");
    if (rounds <= maxInputRounds) await calling;
    else await assert.rejects(calling, { code: "limit", message: /maxInputRounds \(10\)/ });
    await client.close();
  });
}

test("a handler that throws fails the call with its own error, and aborts the other handlers", async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const bug = new Error("bug");
  const [client] = await connectStateless(
    (message, wire) => askFor(wire, message, `{"who":${question},"where":{"method":"roots/list"}}`),
    {
      handlers: {
        elicit: (_, { signal }) =>
          new Promise(() => signal.addEventListener("abort", () => resolve())),
        listRoots: () => Promise.reject(bug),
      },
    },
  );
  await assert.rejects(client.callTool("greet"), bug);
  await aborted;
  await client.close();
});

test("only tools/call, prompts/get and resources/read may ask for input", async () => {
  const [client] = await connectStateless(
    (message, wire) => askFor(wire, message, `{"who":${question}}`),
    { handlers: { elicit: () => ({ action: "cancel" }) } },
  );
  await assert.rejects(client.listTools(), { code: "protocol" });
  await client.close();
});

test("what was answered with input is never kept as fresh", async () => {
  let reads = 0;
  const [client] = await connectStateless(
    (message, wire) => {
      reads++;
      if (message.params?.["inputResponses"] === undefined)
        askFor(wire, message, `{"who":${question}}`);
      else finish(wire, message);
    },
    { handlers: { elicit: () => ({ action: "cancel" }) } },
  );
  await client.readResource("file:///a");
  await client.readResource("file:///a");
  await client.close();
  assert.equal(reads, 4);
});

test("an unknown resultType is an error, an absent one is complete", async () => {
  const [client] = await connectStateless((message, wire) =>
    wire.write(
      `{"jsonrpc":"2.0","id":${message.id},"result":{${message.id === 2 ? '"resultType":"sideways",' : ""}"content":[]}}\n`,
    ),
  );
  await assert.rejects(client.callTool("a"), { code: "protocol", message: /"sideways"/ });
  assert.deepEqual((await client.callTool("a")).content, []);
  await client.close();
});

const allQuestions = `{"a":${question},"b":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}},"c":{"method":"roots/list"}}`;

for (const [end, code, words, options] of [
  ["the caller's signal is aborted", "cancelled", /the caller cancelled it/, {}],
  ["this side closes the connection", "closed", /this side closed the connection/, {}],
  ["the other side closes the connection", "closed", /the other side closed the connection/, {}],
  [
    "their time is over",
    "timeout",
    /its handlers have not answered within 20 ms \(handlerTimeoutMs\)/,
    { handlerTimeoutMs: 20 },
  ],
] as const) {
  test(`handlers that never answer keep no call, and are told, when ${end}`, async () => {
    const reasons: unknown[] = [];
    const asked = Promise.withResolvers<void>();
    let running = 0;
    const hang = (signal: AbortSignal): Promise<never> => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      if (++running === 3) asked.resolve();
      return new Promise(() => {});
    };
    const [client, peer] = await connectStateless(
      (message, wire) => askFor(wire, message, allQuestions),
      {
        ...options,
        handlers: {
          elicit: (_, { signal }) => hang(signal),
          sample: (_, { signal }) => hang(signal),
          listRoots: ({ signal }) => hang(signal),
        },
      },
    );
    const controller = new AbortController();
    const calling = client.callTool("greet", {}, { signal: controller.signal });
    await asked.promise;
    if (end.startsWith("the caller's")) controller.abort();
    if (end.startsWith("this side")) void client.close();
    if (end.startsWith("the other side")) peer.end();
    await assert.rejects(calling, { code, message: words });
    assert.equal(reasons.length, 3);
    await client.close();
  });
}

test("a signal that is aborted while a handler answers ends the call before the next round", async () => {
  const controller = new AbortController();
  const [client, peer] = await connectStateless(
    (message, wire) => askFor(wire, message, `{"who":${question}}`),
    {
      handlers: {
        elicit: () => {
          controller.abort();
          return { action: "cancel" };
        },
      },
    },
  );
  const sent = peer.lines.length;
  await assert.rejects(client.callTool("greet", {}, { signal: controller.signal }), {
    code: "cancelled",
  });
  await client.close();
  assert.equal(peer.lines.length, sent + 1);
});

test("an answer that is no JSON fails the call, and the connection goes on", async () => {
  const [client] = await connectStateless(
    (message, wire) =>
      message.params?.["name"] === "greet"
        ? askFor(wire, message, `{"who":${question}}`)
        : finish(wire, message),
    { handlers: { elicit: () => ({ action: "accept", content: unwritable }) } },
  );
  await assert.rejects(client.callTool("greet"), { name: "UsageError", code: "not-json" });
  await client.callTool("other");
  await client.close();
});
