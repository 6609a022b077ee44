// How a call gets its reply, or learns what came instead of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError, ServerError, type CallOptions, type ClientErrorCode } from "./index.ts";
import { connectHandshake, connectStateless, type Script } from "./wire-peer.test.ts";

const good = '"result":{"content":[]}';

async function failCall(
  reply: Script,
  options: CallOptions = { timeoutMs: 10_000 },
): Promise<readonly [ClientError, readonly string[]]> {
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.method === "tools/call") reply(message, wire);
  });
  const error: unknown = await client
    .callTool("echo", { text: "hi" }, options)
    .catch((thrown: unknown) => thrown);
  await client.close();
  assert.ok(error instanceof ClientError, String(error));
  return [error, peer.lines];
}

test("a call is one line, and its reply one result", async () => {
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.method === "tools/call")
      wire.write(
        `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"text","text":"hi"}],"isError":true}}\n`,
      );
  });
  const result = await client.callTool("echo", { text: "hi" });
  await client.close();
  assert.equal(
    peer.lines.at(-1),
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}',
  );
  assert.deepEqual(result, { content: [{ type: "text", text: "hi" }], isError: true });
});

const spoilt: readonly (readonly [fact: string, reply: string, words: string])[] = [
  [
    'the id "2" for 2',
    `{"jsonrpc":"2.0","id":"2",${good}}`,
    'a result came with the id "2" (a string), expected 2 (a number)',
  ],
  [
    "result and error",
    `{"jsonrpc":"2.0","id":2,${good},"error":{"code":1,"message":"x"}}`,
    'both "result" and "error"',
  ],
  ["error: null", `{"jsonrpc":"2.0","id":2,${good},"error":null}`, 'both "result" and "error"'],
  ["an array", `[{"jsonrpc":"2.0","id":2,${good}}]`, "stands inside an array"],
  ["a banner glued to it", `ready {"jsonrpc":"2.0","id":2,${good}}`, "stands before the message"],
  ["no jsonrpc", `{"id":2,${good}}`, '"jsonrpc" is absent'],
  [
    "a content that is no array",
    '{"jsonrpc":"2.0","id":2,"result":{"content":"hi"}}',
    '"content" is the string "hi", expected an array',
  ],
  [
    "a result that is no object",
    '{"jsonrpc":"2.0","id":2,"result":"hi"}',
    '"result" is the string "hi", expected an object',
  ],
];
for (const [fact, reply, words] of spoilt) {
  test(`a reply with ${fact} fails its call at once and says so`, async () => {
    const [error] = await failCall((_, wire) => wire.write(`${reply}\n`));
    assert.equal(error.code, "protocol");
    assert.ok(error.message.startsWith('Cannot call "tools/call echo": '), error.message);
    assert.ok(error.message.includes(words), error.message);
  });
}

test("a JSON-RPC error is a ServerError with code, message and data", async () => {
  const [error] = await failCall((_, wire) =>
    wire.write(
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: echo","data":[1]}}\n',
    ),
  );
  assert.ok(error instanceof ServerError);
  assert.equal(error.code, "server-error");
  assert.deepEqual(error.body, { code: -32602, message: "Unknown tool: echo", data: [1] });
});

test("a timeout mentions what could not be read or matched, and cancels the call", async () => {
  const [error, lines] = await failCall(
    (_, wire) => wire.write(`Debug: 1\nDebug: 2\n{"jsonrpc":"2.0","id":99,${good}}\n`),
    { timeoutMs: 40 },
  );
  assert.equal(error.code, "timeout");
  assert.match(
    error.message,
    /^Cannot call "tools\/call echo": no reply within \d+ ms, expected a result or an error; 2 lines could not be read, the first: "Debug: 1"/,
  );
  assert.match(error.message, /1 reply belonged to no call, the first: a result with the id 99$/);
  assert.match(
    lines.at(-1) ?? "",
    /^\{"jsonrpc":"2\.0","method":"notifications\/cancelled","params":\{"requestId":2,"reason":"no reply within \d+ ms"\}\}$/,
  );
});

test("an aborted signal cancels the call and tells the server, and its late reply is counted", async () => {
  const controller = new AbortController();
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.method === "tools/call") controller.abort(new Error("private"));
    if (message.method === "notifications/cancelled")
      wire.write(`{"jsonrpc":"2.0","id":2,${good}}\n{"jsonrpc":"2.0","id":3,"result":{}}\n`);
  });
  const calling = client.callTool("echo", {}, { signal: controller.signal });
  const pinging = client.ping();
  await assert.rejects(calling, { code: "cancelled" });
  await pinging;
  const { lateReplies } = client.report();
  await client.close();
  assert.equal(lateReplies, 1);
  assert.equal(
    peer.lines.at(-1),
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"cancelled"}}',
  );
});

test("an already aborted signal sends nothing", async () => {
  const [client, peer] = await connectHandshake(() => {});
  await assert.rejects(client.callTool("echo", {}, { signal: AbortSignal.abort() }), {
    code: "cancelled",
  });
  await client.close();
  assert.ok(!peer.lines.some((line) => line.includes("tools/call")));
});

test("progress is told, and starts the time anew when asked", async () => {
  const seen: unknown[] = [];
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.method !== "tools/call") return;
    let step = 0;
    const timer = setInterval(() => {
      step++;
      if (step < 6)
        return wire.write(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":${step},"total":5}}\n`,
        );
      clearInterval(timer);
      wire.write(`{"jsonrpc":"2.0","id":2,${good}}\n`);
    }, 60);
  });
  await client.callTool(
    "slow",
    {},
    { timeoutMs: 200, resetTimeoutOnProgress: true, onProgress: (progress) => seen.push(progress) },
  );
  await client.close();
  assert.deepEqual(seen[0], { progress: 1, total: 5, message: undefined });
  assert.equal(seen.length, 5);
  assert.ok(
    peer.lines.some((line) =>
      line.includes('"params":{"name":"slow","arguments":{},"_meta":{"progressToken":2}}'),
    ),
  );
});

test("maxTotalTimeoutMs ends a call that progresses for ever", async () => {
  let timer: NodeJS.Timeout | undefined;
  const [error] = await failCall(
    (_, wire) => {
      timer = setInterval(
        () =>
          wire.write(
            '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}\n',
          ),
        10,
      );
    },
    { timeoutMs: 60, resetTimeoutOnProgress: true, maxTotalTimeoutMs: 150 },
  );
  clearInterval(timer);
  assert.equal(error.code, "timeout");
});

const ends: readonly (readonly [fact: string, code: ClientErrorCode, words: RegExp])[] = [
  [
    "the other side closes",
    "closed",
    /the other side closed the connection before it replied, expected a reply to tools\/call$/,
  ],
];
for (const [fact, code, words] of ends) {
  test(`all calls fail at once when ${fact}`, async () => {
    const [client] = await connectHandshake((message, wire) => {
      if (message.method === "tools/call" && message.id === 3) wire.end();
    });
    const outcomes = await Promise.allSettled([client.callTool("a"), client.callTool("b")]);
    const after = await client.callTool("c").catch((thrown: unknown) => thrown);
    await client.close();
    for (const reason of [
      ...outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined)),
      after,
    ]) {
      assert.ok(reason instanceof ClientError);
      assert.equal(reason.code, code);
      assert.match(reason.message, words);
    }
  });
}

test("close() fails the calls that still run, and later ones", async () => {
  const [client] = await connectHandshake(() => {});
  const calling = client.callTool("slow");
  const closing = client.close();
  await assert.rejects(calling, { code: "closed" });
  await closing;
  await assert.rejects(client.callTool("slow"), { code: "closed" });
});

test("close() of a server that is no process of this side tells of no process", async () => {
  const [client] = await connectHandshake(() => {});
  const { durationMs, ...report } = await client.close();
  assert.deepEqual(report, { kind: "connection" });
  assert.ok(durationMs >= 0);
});

test("unknown and double replies are counted and harm nothing", async () => {
  const [client] = await connectStateless((message, wire) => {
    const reply = `{"jsonrpc":"2.0","id":${message.id},"result":{"resultType":"complete","content":[]}}\n`;
    wire.write(
      `${reply}${reply}{"jsonrpc":"2.0","id":0,"result":{}}\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n`,
    );
  });
  await client.callTool("a");
  await client.callTool("b");
  const { duplicateReplies, unknownReplies } = client.report();
  await client.close();
  assert.deepEqual([duplicateReplies >= 1, unknownReplies >= 2], [true, true]);
});

test("parameters that are no JSON are the caller's mistake", async () => {
  const [client] = await connectHandshake(() => {});
  await assert.rejects(client.callTool("a", { big: 1n }), { name: "UsageError", code: "not-json" });
  await client.close();
});

test("parameters of a notification that are no JSON are the caller's mistake, too", async () => {
  const [client] = await connectHandshake(() => {});
  assert.throws(() => client.notify("a/b", { big: 1n }), {
    name: "UsageError",
    code: "not-json",
    message: `Cannot send "a/b": its parameters cannot be written as JSON, expected ones that can`,
  });
  await client.close();
});

test("a request of this side that comes back is no request of the server", async () => {
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.method !== undefined) wire.write(`${wire.lines.at(-1)}\n`);
  });
  await assert.rejects(client.callTool("a"), {
    code: "protocol",
    message:
      'Cannot call "tools/call a": it sends back what it is sent, expected a reply to tools/call',
  });
  await client.close();
  assert.equal(peer.lines.filter((line) => line.includes('"error"')).length, 0);
});

test("what the application's observers throw is thrown outside, and costs neither a line nor a message", async (context) => {
  const thrown: unknown[] = [];
  context.mock.method(globalThis, "queueMicrotask", (callback: () => void) => {
    try {
      callback();
    } catch (error) {
      thrown.push(error);
    }
  });
  const raise = (): never => {
    throw new Error("of the application");
  };
  const [client, peer] = await connectStateless(
    (message, wire) =>
      wire.write(
        `stray\n{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}\n{"jsonrpc":"2.0","id":${message.id},"result":{"content":[]}}\n`,
      ),
    { onLine: raise, onFault: raise, onNotification: raise },
  );
  assert.deepEqual(await client.callTool("a", {}, { onProgress: raise }), { content: [] });
  await client.close();
  assert.equal(peer.lines.length, 2);
  assert.equal(thrown.length, 2 + 5 + 3); // two lines sent, five received; a fault, a notification, a progress
});

test("a batch is read as its messages in 2025-03-26 alone", async () => {
  const [client] = await connectHandshake((message, wire) => {
    if (message.method === "ping")
      wire.write(`[{"jsonrpc":"2.0","id":${message.id},"result":{}}]\n`);
  });
  await assert.rejects(client.ping(), { code: "protocol" });
  await client.close();
});

test("onLine sees the exact bytes of both directions, stray lines too", async () => {
  const seen: string[] = [];
  const [client] = await connectStateless(
    (message, wire) =>
      wire.write(
        `Débug\r\n\n{"jsonrpc":"2.0","id":${message.id},"result":{"resultType":"complete"}}\n`,
      ),
    { onLine: ({ direction, bytes }) => seen.push(`${direction} ${bytes.toString()}`) },
  );
  await client.request("x/y", { a: 1 });
  await client.close();
  assert.match(seen[0] ?? "", /^sent \{"jsonrpc":"2\.0","id":1,"method":"server\/discover".*\}\n$/);
  assert.match(
    seen[2] ?? "",
    /^sent \{"jsonrpc":"2\.0","id":2,"method":"x\/y","params":\{"a":1,"_meta":/,
  );
  assert.deepEqual(seen.slice(3), [
    "received Débug\r\n",
    "received \n",
    'received {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}\n',
  ]);
});
