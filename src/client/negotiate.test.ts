// How the client finds a server's era and agrees with it on a revision.

import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../protocol/index.ts";
import {
  ClientError,
  connect,
  ServerError,
  type ClientErrorCode,
  type ConnectOptions,
} from "./index.ts";
import { discovered, initialized, openPeer, type Script } from "./wire-peer.test.ts";

const clientInfo = { name: "test", version: "1" };

async function connectTo(script: Script, options: ConnectOptions = {}) {
  const peer = openPeer(script);
  await using client = await connect({ transport: peer.transport }, { clientInfo, ...options });
  return { revision: client.revision, era: client.era, lines: peer.lines, report: client.report() };
}

async function failTo(script: Script, options: ConnectOptions = {}): Promise<ClientError> {
  const peer = openPeer(script);
  const error: unknown = await connect(
    { transport: peer.transport },
    { clientInfo, ...options },
  ).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ClientError, String(error));
  return error;
}

test("the first line asks for server/discover and says who asks", async () => {
  const { lines, era } = await connectTo((message, peer) =>
    peer.write(`{"jsonrpc":"2.0","id":${message.id},${discovered}}\n`),
  );
  assert.equal(era, "stateless");
  assert.deepEqual(lines, [
    '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
      '"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}',
  ]);
});

for (const error of [
  '{"code":-32601,"message":"Method not found"}',
  '{"code":-32602,"message":"Invalid request parameters"}',
  '{"code":-32000,"message":"x"}',
]) {
  test(`the error ${error} to server/discover leads to initialize on the same pipe`, async () => {
    const { lines, revision } = await connectTo((message, peer) => {
      if (message.method === "server/discover")
        peer.write(`{"jsonrpc":"2.0","id":${message.id},"error":${error}}\n`);
      if (message.method === "initialize")
        peer.write(`{"jsonrpc":"2.0","id":${message.id},${initialized}}\n`);
    });
    assert.equal(revision, "2025-11-25");
    assert.deepEqual(lines.slice(1), [
      '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ]);
  });
}

test("silence to server/discover leads to initialize as well, and the late result of discover wins when it comes first", async () => {
  const { era, lines } = await connectTo(
    (message, peer) => {
      if (message.method === "initialize") peer.write(`{"jsonrpc":"2.0","id":1,${discovered}}\n`);
    },
    { probeTimeoutMs: 20 },
  );
  assert.equal(era, "stateless");
  assert.equal(lines.length, 2);
});

test("silence to server/discover ends in a handshake when initialize is answered first", async () => {
  const { era } = await connectTo(
    (message, peer) => {
      if (message.method === "initialize")
        peer.write(`{"jsonrpc":"2.0","id":${message.id},${initialized}}\n`);
    },
    { probeTimeoutMs: 20 },
  );
  assert.equal(era, "handshake");
});

test("a reply to server/discover that a banner spoilt is asked for once more", async () => {
  const { era, report } = await connectTo((message, peer) => {
    peer.write(
      `${message.id === 1 ? "ready " : ""}{"jsonrpc":"2.0","id":${message.id},${discovered}}\n`,
    );
  });
  assert.equal(era, "stateless");
  assert.equal(report.faultCount, 1);
});

const refusals: readonly (readonly [
  fact: string,
  error: string,
  code: ClientErrorCode,
  words: string,
])[] = [
  [
    "-32022 without a common version",
    '{"code":-32022,"message":"Unsupported","data":{"supported":["2099-01-01"]}}',
    "version",
    "the server speaks 2099-01-01",
  ],
  [
    "-32021",
    '{"code":-32021,"message":"Needs sampling","data":{"requiredCapabilities":{"sampling":{}}}}',
    "server-error",
    "Needs sampling",
  ],
  ["-32020", '{"code":-32020,"message":"Header mismatch"}', "server-error", "Header mismatch"],
];
for (const [fact, error, code, words] of refusals) {
  test(`${fact} to server/discover is a stateless server's word, and no handshake follows`, async () => {
    const failure = await failTo((message, peer) => {
      assert.equal(message.method, "server/discover");
      peer.write(`{"jsonrpc":"2.0","id":${message.id},"error":${error}}\n`);
    });
    assert.equal(failure.code, code);
    assert.ok(failure.message.includes(words), failure.message);
  });
}

test("-32022 that names a handshake revision leads to a handshake in that revision", async () => {
  const { lines } = await connectTo((message, peer) => {
    if (message.method === "server/discover") {
      peer.write(
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2025-06-18"]}}}\n',
      );
    }
    if (message.method === "initialize")
      peer.write(`{"jsonrpc":"2.0","id":2,${initialized.replace("2025-11-25", "2025-06-18")}}\n`);
  });
  assert.ok((lines[1] ?? "").includes('"protocolVersion":"2025-06-18"'));
});

test("an error to initialize is the server's error, with its code and data", async () => {
  const failure = await failTo((message, peer) => {
    peer.write(
      `{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32603,"message":"no \\u001b[31mlicence","data":{"a":1}}}\n`,
    );
  });
  assert.ok(failure instanceof ServerError);
  assert.deepEqual(failure.body, { code: -32603, message: "no \u001b[31mlicence", data: { a: 1 } });
  assert.equal(
    failure.message,
    "Cannot connect to the server: the server answered with the error -32603 (InternalError): no licence",
  );
});

test("a pinned revision is offered, and no other is taken", async () => {
  const failure = await failTo(
    (message, peer) => peer.write(`{"jsonrpc":"2.0","id":${message.id},${initialized}}\n`),
    { revision: "2025-06-18" },
  );
  assert.equal(failure.code, "version");
  assert.match(failure.message, /"2025-11-25", expected 2025-06-18$/);
});

test("the stateless era takes no handshake server", async () => {
  const failure = await failTo(
    (message, peer) => {
      peer.write(
        `{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32601,"message":"Method not found"}}\n`,
      );
    },
    { era: "stateless" },
  );
  assert.equal(failure.code, "version");
});

test("a revision that does not exist is the caller's mistake", async () => {
  const peer = openPeer(() => {});
  await assert.rejects(
    connect({ transport: peer.transport }, { revision: "2025-01-01" }),
    UsageError,
  );
  await assert.rejects(
    connect({ transport: peer.transport }, { revision: "2025-11-25", era: "stateless" }),
    UsageError,
  );
});

test("an aborted signal ends connecting with the code cancelled", async () => {
  const controller = new AbortController();
  const failure = await failTo(() => controller.abort(new Error("enough")), {
    signal: controller.signal,
  });
  assert.equal(failure.code, "cancelled");
});

test("a server that says nothing at all is silent", async () => {
  const failure = await failTo(() => {}, { startTimeoutMs: 60, probeTimeoutMs: 20 });
  assert.equal(failure.code, "silent");
});

test("a server that closes the pipe has closed it before it replied", async () => {
  const failure = await failTo((_, peer) => peer.end());
  assert.equal(failure.code, "closed");
  assert.match(
    failure.message,
    /closed the connection before it replied, expected a reply to server\/discover/,
  );
});
