import assert from "node:assert/strict";
import { test } from "node:test";
import * as fastCheck from "fast-check";
import { metaOf, openPeer, versions, type Line } from "../../fixtures/wire-script.ts";
import { parseLine, replyToFault, type Arrival } from "../protocol/index.ts";
import { createServer, type Server } from "./index.ts";

function makeServer(): Server {
  return createServer({ name: "fuzz", version: "1", report: () => {}, logging: true })
    .addTool({
      name: "echo",
      input: { type: "object", properties: { text: { type: "string" } } },
      run: (args) => args,
    })
    .addTool({
      name: "later",
      input: { type: "object", additionalProperties: true },
      run: async (args) => args,
    })
    .addTool({ name: "ask", run: (_args, context) => context.listRoots() })
    .addResource({ uri: "a:", name: "a", read: () => "" })
    .addResourceTemplate({
      uriTemplate: "b:{x}-{y}{?q}",
      name: "b",
      complete: { x: () => [] },
      read: (uri) => uri,
    })
    .addPrompt({ name: "p", arguments: [{ name: "a", complete: () => [""] }], get: () => "" });
}

const methods = [
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "constructor",
];

/** Values that have broken readers before, beside whatever JSON there is. */
const anything = fastCheck.oneof(
  fastCheck.jsonValue({ maxDepth: 3 }),
  fastCheck.constantFrom(
    "echo",
    "later",
    "ask",
    "a:",
    "b:1-2",
    "p",
    "debug",
    "__proto__",
    "",
    0,
    -0,
    2 ** 53,
    null,
    [],
    {},
  ),
);
const meta = fastCheck.oneof(
  anything,
  fastCheck.constantFrom(metaOf(), metaOf({ roots: {} }, { progressToken: 1 }), {
    progressToken: "",
  }),
);
const key = fastCheck.constantFrom(
  "name",
  "arguments",
  "uri",
  "cursor",
  "level",
  "ref",
  "argument",
  "protocolVersion",
  "capabilities",
  "clientInfo",
  "requestState",
  "inputResponses",
  "__proto__",
);
const params = fastCheck.oneof(
  anything,
  fastCheck
    .tuple(fastCheck.dictionary(key, anything), meta)
    .map(([members, _meta]) => Object.assign(members, { _meta })),
);
const message = fastCheck.record(
  {
    jsonrpc: fastCheck.oneof(
      { weight: 9, arbitrary: fastCheck.constant("2.0") },
      { weight: 1, arbitrary: anything },
    ),
    id: fastCheck.oneof(fastCheck.integer(), fastCheck.string(), anything),
    method: fastCheck.oneof(
      { weight: 9, arbitrary: fastCheck.constantFrom(...methods) },
      { weight: 1, arbitrary: anything },
    ),
    params,
    result: anything,
    error: anything,
  },
  { requiredKeys: ["jsonrpc"] },
);
const request = message.map(({ jsonrpc, id = 0, method = "tools/call", params: given }) => ({
  jsonrpc,
  id,
  method,
  params: given,
}));
const line = fastCheck.oneof(
  {
    weight: 5,
    arbitrary: fastCheck
      .oneof(
        request,
        message,
        fastCheck.array(fastCheck.oneof(request, message, anything), { maxLength: 4 }),
      )
      .map((value) => JSON.stringify(value)),
  },
  {
    weight: 1,
    arbitrary: fastCheck.string({ unit: "binary" }).map((text) => text.replaceAll("\n", "")),
  },
  {
    weight: 1,
    arbitrary: fastCheck
      .tuple(request, fastCheck.nat(80))
      .map(([value, end]) => JSON.stringify(value).slice(0, end)),
  },
);

test("whatever arrives, nothing is thrown and each request has exactly one reply", async () => {
  const property = fastCheck.asyncProperty(
    fastCheck.constantFrom(...versions),
    fastCheck.array(line, { maxLength: 20 }),
    async (version, lines) => {
      const peer = await openPeer(makeServer(), version);
      for (const text of lines) {
        const hasBatches = peer.session.handshake?.revision.batches === true;
        peer.say(text);
        const replies = (await peer.rest()).flat().filter(isReply);
        assert.deepEqual(replies.length, countOwed(text, hasBatches), text);
      }
      assert.ok((await peer.request("tools/list", {}, "last")).result.tools.length > 0);
    },
  );
  await fastCheck.assert(property, {
    numRuns: 100,
    seed: Number(process.env["FUZZ_SEED"] ?? 2026),
  });
});

function isReply(one: Line): boolean {
  return one.method === undefined;
}

/** Counts the replies that the members of a line are owed. */
function countOwed(text: string, hasBatches: boolean): number {
  const arrivals: Arrival[] = [];
  parseLine(text, arrivals);
  const members: Arrival[] = [];
  for (const arrival of arrivals)
    if (arrival.kind === "batch" && hasBatches) members.push(...arrival.items);
    else members.push(arrival);
  return members.filter(owesReply).length;
}

function owesReply(arrival: Arrival): boolean {
  if (arrival.kind === "fault") return replyToFault(arrival, "null") !== undefined;
  return arrival.kind === "request" || arrival.kind === "batch";
}
