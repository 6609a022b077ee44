// No time is asserted here, only that what the benches measure over HTTP is right, and that they notice what is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeCommand } from "./cpus.ts";
import { findReplyLength, parseReply } from "./http-bytes.ts";
import { HttpPeer, openHttpEcho } from "./http-peer.ts";
import { HttpPump } from "./http-pump.ts";
import { driveHttpClient } from "./measures/http-client.ts";
import { httpListeners, measureListeners } from "./measures/http-listeners.ts";
import { checkEcho, echoRequest, listRequest, toRecord } from "./messages.ts";
import { Subject } from "./process.ts";
import { httpClientCases, httpServerCases } from "./subjects.ts";

for (const { subject, revision = "2025-11-25", what } of httpServerCases) {
  test(`the HTTP server ${subject} lists one tool and echoes on several connections in ${revision}`, async () => {
    const text = 'One\n"two" – ' + "three".repeat(20_000);
    await using server = new Subject(nodeCommand("anywhere", what));
    const peer = await openHttpEcho(server, revision);
    const { tools } = toRecord(await peer.ask(listRequest(3, revision)));
    checkEcho(await peer.ask(echoRequest(4, revision, text)), text);
    using pump = await HttpPump.create(peer);
    await pump.run(1, 10);
    await pump.run(8, 200);

    const [tool] = tools as readonly { name: string }[];
    assert.equal(tool?.name, "echo");
    assert.equal(pump.answered, 210);
    assert.ok(pump.durations([0, 210]).every((duration) => duration > 0));
  });
}

for (const each of httpClientCases) {
  test(`the client ${each.subject} calls over HTTP in ${each.revision}`, async () => {
    const rates = await driveHttpClient(each, { flights: [1, 4], warmMs: 1, runMs: 20 });
    assert.deepEqual(Object.keys(rates), ["one", "many"]);
  });
}

test("each of many listeners hears of a change once", async () => {
  const [each] = httpListeners.cases;
  const { first = 0, last = 0 } = await measureListeners(each!, 150);
  assert.ok(first > 0 && first <= last);
});

/** Answers as the bare server does, but for the fourth reply, which `spoil` has changed. */
const spoiledServer = (spoil: string): readonly [string, ...string[]] => {
  const program = `
    import { createServer } from "node:http";
    import { tellPort } from "./http-subject.js";
    let count = 0;
    const http = createServer(async (request, response) => {
      const { id, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const content = [{ type: "text", text: params.arguments?.text }];
      const reply = JSON.stringify({ jsonrpc: "2.0", id, result: { content } });
      count += 1;
      response.setHeader("content-length", reply.length);
      if (count === 4) ${spoil}
      else response.end(reply);
    });
    http.listen(0, "127.0.0.1", () => tellPort(http.address().port));`;
  return [process.execPath, "--input-type=module", "-e", program];
};
const spoils = {
  "an id that is another's": `response.end(reply.replace(String(id), String(id - 1)));`,
  "another text": `response.end(reply.replace("abc", "abd"));`,
  "another status": `response.writeHead(500).end(reply);`,
  "a shorter body": `response.setHeader("content-length", 2).end("{}");`,
};
for (const [what, spoil] of Object.entries(spoils)) {
  test(`HttpPump refuses a reply with ${what}`, async () => {
    await using server = new Subject(spoiledServer(spoil));
    using pump = await HttpPump.create(await HttpPeer.open(server, "2026-07-28"));
    await assert.rejects(pump.run(1, 10), /^Error: Wrong reply: HTTP/);
    assert.equal(pump.answered, 1);
  });
}

test("HttpPump fails with the connection", async () => {
  await using server = new Subject(spoiledServer("request.socket.end();"));
  using pump = await HttpPump.create(await HttpPeer.open(server, "2026-07-28"));
  await assert.rejects(pump.run(1, 10), /^Error: The server closed a connection/);
});

test("findReplyLength() and parseReply() take a body of known length and one in a chunk", () => {
  const known = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"id":1}';
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"id":1}\r\n0\r\n\r\n';
  for (const reply of [known, chunked]) {
    assert.equal(findReplyLength(Buffer.from(`${reply}HTTP/1.1 200`)), reply.length);
    assert.deepEqual(parseReply(Buffer.from(reply)), { id: 1 });
    for (let length = 0; length < reply.length; length += 1)
      assert.equal(findReplyLength(Buffer.from(reply.slice(0, length))), undefined);
  }
});
