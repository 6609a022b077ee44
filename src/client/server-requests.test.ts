// What a handshake server gets when it asks the client.

import assert from "node:assert/strict";
import { test } from "node:test";
import { WireError } from "../protocol/index.ts";
import type { Handlers } from "./index.ts";
import { maxRunningHandlers } from "./server-requests.ts";
import { connectHandshake, connectStateless } from "./wire-peer.test.ts";

const elicitation =
  '"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}';

async function ask(
  request: string,
  answer: string,
  handlers: Handlers = {},
): Promise<{ readonly line: string; readonly errors: readonly unknown[] }> {
  const [client, peer] = await connectHandshake(() => {}, { handlers });
  peer.write(`${request}\n`);
  const line = await peer.seen(answer);
  const errors = client.report().handlerErrors;
  await client.close();
  return { line, errors };
}

test("ping is answered by {}", async () => {
  const { line } = await ask('{"jsonrpc":"2.0","id":"p","method":"ping"}', '"id":"p"');
  assert.equal(line, '{"jsonrpc":"2.0","id":"p","result":{}}');
});

test("an unknown method and one without a handler are -32601", async () => {
  for (const method of ["x/y", "elicitation/create", "sampling/createMessage", "roots/list"]) {
    const { line } = await ask(`{"jsonrpc":"2.0","id":0,"method":"${method}"}`, '"error"');
    assert.equal(
      line,
      `{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"This client has no method \\"${method}\\""}}`,
    );
  }
});

test("handlers answer, and are declared as capabilities", async () => {
  const handlers: Handlers = {
    elicit: ({ message }) => ({ action: "accept", content: { text: message } }),
    sample: () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "m" }),
    listRoots: () => ({ roots: [{ uri: "file:///a" }] }),
  };
  const [client, peer] = await connectHandshake(() => {}, { handlers });
  assert.ok(
    (peer.lines[0] ?? "").includes(
      '"capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}',
    ),
  );
  peer.write(
    `{"jsonrpc":"2.0","id":1,${elicitation}}\n{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":5}}\n`,
  );
  peer.write('{"jsonrpc":"2.0","id":3,"method":"roots/list"}\n');
  assert.equal(
    await peer.seen('"id":1,"result"'),
    '{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"text":"Who?"}}}',
  );
  assert.equal(
    await peer.seen('"id":2,"result"'),
    '{"jsonrpc":"2.0","id":2,"result":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}}',
  );
  assert.equal(
    await peer.seen('"id":3,"result"'),
    '{"jsonrpc":"2.0","id":3,"result":{"roots":[{"uri":"file:///a"}]}}',
  );
  await client.close();
});

test("a handler's error stays here, and the server gets -32603 without its text", async () => {
  const bug = new Error("password=secret");
  const { line, errors } = await ask(`{"jsonrpc":"2.0","id":1,${elicitation}}`, '"error"', {
    elicit: () => Promise.reject(bug),
  });
  assert.equal(
    line,
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The client's handler failed"}}`,
  );
  assert.deepEqual(errors, [bug]);
});

test("a handler's WireError goes to the server as it is", async () => {
  const refuse = (): never => {
    throw new WireError(-1, "User rejected sampling request");
  };
  const { line } = await ask('{"jsonrpc":"2.0","id":1,"method":"roots/list"}', '"error"', {
    listRoots: refuse,
  });
  assert.equal(
    line,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"User rejected sampling request"}}',
  );
});

test("parameters that are no question are -32602", async () => {
  const { line } = await ask(
    '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":1}}',
    '"error"',
    { elicit: () => ({ action: "cancel" }) },
  );
  assert.match(line, /"code":-32602/);
});

test("a cancelled question aborts its handler and is not answered", async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  const elicit: Handlers["elicit"] = (_, { signal }) =>
    new Promise((answer) => {
      signal.addEventListener("abort", () => {
        resolve(signal.reason);
        answer({ action: "cancel" });
      });
    });
  const [client, peer] = await connectHandshake(() => {}, { handlers: { elicit } });
  peer.write(
    `{"jsonrpc":"2.0","id":7,${elicitation}}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}\n`,
  );
  await aborted;
  peer.write('{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
  await peer.seen('"id":8');
  await client.close();
  assert.ok(!peer.lines.some((line) => line.includes('"id":7')));
});

for (const count of [maxRunningHandlers - 1, maxRunningHandlers, maxRunningHandlers + 1]) {
  test(`of ${count} questions at once ${Math.max(0, count - maxRunningHandlers)} are refused`, async () => {
    const { promise: answer, resolve } = Promise.withResolvers<{ readonly action: "cancel" }>();
    const [client, peer] = await connectHandshake(() => {}, { handlers: { elicit: () => answer } });
    for (let id = 0; id < count; id++)
      peer.write(`{"jsonrpc":"2.0","id":"q${id}",${elicitation}}\n`);
    peer.write('{"jsonrpc":"2.0","id":"last","method":"ping"}\n');
    await peer.seen('"last"');
    const refused = peer.lines.filter((line) =>
      line.includes("the most this client takes at once"),
    ).length;
    resolve({ action: "cancel" });
    await client.close();
    assert.equal(refused, Math.max(0, count - maxRunningHandlers));
  });
}

const notJson: readonly (readonly [what: string, handlers: Handlers])[] = [
  [
    "a BigInt",
    { elicit: () => ({ action: "accept", content: JSON.parse("{}", () => ({ n: 1n })) }) },
  ],
  [
    "a circle",
    {
      elicit: () => {
        const content = JSON.parse("{}");
        content.self = content;
        return { action: "accept", content };
      },
    },
  ],
  [
    "a toJSON() that throws",
    {
      elicit: () => ({
        action: "accept",
        content: JSON.parse("{}", () => ({
          toJSON: () => {
            throw new Error("secret");
          },
        })),
      }),
    },
  ],
  [
    "a WireError with such data",
    {
      elicit: () => {
        throw new WireError(-1, "x", { data: 1n });
      },
    },
  ],
  [
    "a WireError with such data, later",
    { elicit: () => Promise.reject(new WireError(-1, "x", { data: 1n })) },
  ],
];
for (const [what, handlers] of notJson) {
  test(`a handler's answer that is no JSON, ${what}, is -32603, and the connection goes on`, async () => {
    const [client, peer] = await connectHandshake(
      (message, wire) => {
        if (message.method === "ping")
          wire.write(`{"jsonrpc":"2.0","id":${message.id},"result":{}}\n`);
      },
      { handlers },
    );
    peer.write(`{"jsonrpc":"2.0","id":1,${elicitation}}\n`);
    assert.equal(
      await peer.seen('"id":1,"error"'),
      `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The client's handler failed"}}`,
    );
    await client.ping();
    assert.equal(client.report().handlerErrorCount, 1);
    await client.close();
  });
}

test("a request under an id that is in flight is refused, and its handler not started", async () => {
  const { promise: answer, resolve } = Promise.withResolvers<{ readonly action: "cancel" }>();
  let started = 0;
  const elicit = () => {
    started++;
    return answer;
  };
  const [client, peer] = await connectHandshake(() => {}, { handlers: { elicit } });
  for (let count = 0; count < 100; count++) peer.write(`{"jsonrpc":"2.0","id":1,${elicitation}}\n`);
  peer.write('{"jsonrpc":"2.0","id":"last","method":"ping"}\n');
  await peer.seen('"last"');
  resolve({ action: "cancel" });
  await peer.seen('"id":1,"result"');
  await client.close();
  assert.equal(started, 1);
  assert.equal(
    peer.lines.filter((line) => line.includes('"code":-32600,"message":"The id is in flight'))
      .length,
    99,
  );
});

test("a cancelled handler counts until it ends", async () => {
  const ends: (() => void)[] = [];
  const elicit = () =>
    new Promise<{ readonly action: "cancel" }>((resolve) => {
      ends.push(() => resolve({ action: "cancel" }));
    });
  const [client, peer] = await connectHandshake(() => {}, { handlers: { elicit } });
  const askAndCancel = async (count: number, last: string): Promise<void> => {
    for (let id = 0; id < count; id++) {
      peer.write(
        `{"jsonrpc":"2.0","id":"${last}${id}",${elicitation}}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"${last}${id}"}}\n`,
      );
    }
    peer.write(`{"jsonrpc":"2.0","id":"${last}","method":"ping"}\n`);
    await peer.seen(`"id":"${last}"`);
  };
  await askAndCancel(1_000, "first");
  assert.equal(ends.length, maxRunningHandlers);
  for (const end of ends.slice(0, 5)) end();
  await new Promise(setImmediate);
  await askAndCancel(10, "second");
  assert.equal(ends.length, maxRunningHandlers + 5);
  await client.close();
});

test("a handler whose time is over is told, and answered for", async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  const elicit: Handlers["elicit"] = (_, { signal }) =>
    new Promise(() => {
      signal.addEventListener("abort", () => resolve(signal.reason));
    });
  const [client, peer] = await connectHandshake(() => {}, {
    handlers: { elicit },
    handlerTimeoutMs: 20,
  });
  peer.write(`{"jsonrpc":"2.0","id":7,${elicitation}}\n`);
  assert.match(
    await peer.seen('"id":7'),
    /"code":-32603,"message":"The client's handler is too slow"/,
  );
  await aborted;
  assert.match(client.report().remarks.join(), /within 20 ms \(handlerTimeoutMs\)/);
  await client.close();
});

test("a stateless server's request is not answered, and remarked", async () => {
  const [client, peer] = await connectStateless((message, wire) => {
    wire.write(
      `{"jsonrpc":"2.0","id":"x","method":"ping"}\n{"jsonrpc":"2.0","id":${message.id},"result":{}}\n`,
    );
  });
  await client.request("a/b");
  const { unansweredRequests, remarks } = client.report();
  await client.close();
  assert.equal(unansweredRequests, 1);
  assert.match(remarks.join(), /sent the request "ping"/);
  assert.ok(!peer.lines.some((line) => line.includes('"id":"x"')));
});
