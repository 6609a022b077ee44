import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, json, listen, openSession } from "../../fixtures/http-caller.ts";
import { createSubject, until } from "../../fixtures/http-subject.ts";
import { handshakeVersions, initializeParams } from "../../fixtures/wire-script.ts";
import { serveHttp } from "./index.ts";
import type { HttpService } from "./index.ts";

const request = (id: string | number, method: string, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const notification = (method: string, params?: object) => ({ jsonrpc: "2.0", method, params });

describe("serveHttp(), sessions", () => {
  const { server, cancelled, waiting, release } = createSubject();
  let http: HttpService;
  let url: string;
  before(async () => {
    http = await serveHttp(server);
    url = http.url;
  });
  after(() => http.close());

  for (const version of handshakeVersions) {
    test(`${version} opens by initialize, lists its tools and ends by DELETE`, async () => {
      const headers = await openSession(url, version);
      assert.match(headers["mcp-session-id"] ?? "", /^[\x21-\x7e]{32,}$/);
      const listed = await call(url, { headers, body: request(0, "tools/list") });
      assert.equal(listed.json.result.tools[0].name, "echo");
      assert.equal((await call(url, { method: "DELETE", headers })).status, 204);
      const late = await call(url, { headers, body: request(1, "ping") });
      assert.equal(late.status, 404);
      assert.match(late.json.error.message, /initialize/);
      assert.equal((await call(url, { method: "GET", headers })).status, 404);
      assert.equal((await call(url, { method: "DELETE", headers })).status, 404);
    });
  }

  test("an initialize that is refused opens nothing", async () => {
    const answer = await call(url, { headers: json, body: request(1, "initialize", {}) });
    assert.equal(answer.json.error.code, -32602);
    assert.equal(answer.headers["mcp-session-id"], undefined);
  });

  test("a version header on initialize is of no meaning, the body's version counts", async () => {
    const answer = await call(url, {
      headers: { ...json, "mcp-protocol-version": "2024-10-07" },
      body: request(1, "initialize", initializeParams("2025-06-18")),
    });
    assert.equal(answer.json.result.protocolVersion, "2025-06-18");
  });

  test("ids are never the same, and another's cannot be guessed from one's own", async () => {
    const ids = new Set<string | undefined>();
    for (let n = 0; n < 20; n++) ids.add((await openSession(url))["mcp-session-id"]);
    assert.equal(ids.size, 20);
  });

  test("a missing version header is what initialize agreed on", async () => {
    const headers = await openSession(url, "2025-06-18");
    const answer = await call(url, {
      headers: { ...headers, "mcp-protocol-version": undefined },
      body: request(1, "tools/call", { name: "echo", arguments: { text: 1 } }),
    });
    assert.equal(answer.json.error.code, -32602, "2025-06-18 answers bad arguments by an error");
  });

  const refusals: readonly (readonly [
    what: string,
    change: Record<string, string | readonly string[] | undefined>,
    status: number,
    code: number,
    text: RegExp,
  ])[] = [
    ["no session id", { "mcp-session-id": undefined }, 400, -32600, /Mcp-Session-Id is missing/],
    ["a guessed session id", { "mcp-session-id": crypto.randomUUID() }, 404, -32600, /no such/],
    ["a session id with a space", { "mcp-session-id": "a b" }, 400, -32600, /not well-formed/],
    ["a session id that is no ASCII", { "mcp-session-id": "caf\u00e9" }, 400, -32600, /not well/],
    ["two session ids", { "mcp-session-id": ["a", "b"] }, 400, -32600, /not well-formed/],
    ["an unknown version", { "mcp-protocol-version": "2099-01-01" }, 400, -32022, /Unsupported/],
    ["no version at all", { "mcp-protocol-version": "" }, 400, -32022, /Unsupported/],
    ["a version without sessions", { "mcp-protocol-version": "2026-07-28" }, 400, -32602, /_meta/],
  ];
  for (const [what, change, status, code, text] of refusals) {
    test(`refuses ${what}`, async () => {
      const headers = { ...(await openSession(url)), ...change };
      const answer = await call(url, { headers, body: request(1, "tools/list") });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.json.error.code, code);
      assert.match(answer.json.error.message, text);
    });
  }

  test("refuses to initialize a session again", async () => {
    const headers = await openSession(url);
    const body = request(2, "initialize", initializeParams("2025-11-25"));
    assert.equal((await call(url, { headers, body })).status, 400);
    const unknown = { ...headers, "mcp-session-id": "gone" };
    assert.equal((await call(url, { headers: unknown, body })).status, 404);
  });

  test("refuses an id that is in flight, and answers the first", async () => {
    const headers = await openSession(url);
    const body = request("same", "tools/call", { name: "wait" });
    const first = call(url, { headers, body });
    await until("it runs", () => waiting() === 1);
    const second = await call(url, { headers, body });
    assert.equal(second.status, 400);
    assert.equal("id" in second.json, false);
    assert.match(second.json.error.message, /in flight/);
    release();
    assert.equal((await first).json.result.content[0].text, "released");
  });

  test("notifications and replies are accepted without a body", async () => {
    const headers = await openSession(url);
    const bodies = [
      notification("notifications/roots/list_changed"),
      { jsonrpc: "2.0", id: 99, result: {} },
      { jsonrpc: "2.0", id: 99, error: { code: 1, message: "no" } },
    ];
    for (const body of bodies) {
      const answer = await call(url, { headers, body });
      assert.equal(answer.status, 202);
      assert.equal(answer.text, "");
    }
  });

  test("asks the client on the call's stream, and takes the answer by POST", async () => {
    const headers = await openSession(url, "2025-11-25", { elicitation: {} });
    const stream = await listen(url, { headers, body: request(1, "tools/call", { name: "ask" }) });
    const priming = await stream.next();
    assert.equal(priming?.data, undefined);
    assert.match(priming?.id ?? "", /^\d+-0$/);
    const question = await stream.next();
    assert.equal(question?.data.method, "elicitation/create");
    const result = { action: "accept", content: { name: "Aki" } };
    const body = { jsonrpc: "2.0", id: question?.data.id, result };
    assert.equal((await call(url, { headers, body })).status, 202);
    assert.equal((await stream.next())?.data.result.content[0].text, "accept Aki");
    assert.equal(await stream.next(), undefined);
  });

  test("a faulty answer is refused, and ends the question it was for", async () => {
    const headers = await openSession(url, "2025-11-25", { elicitation: {} });
    const stream = await listen(url, { headers, body: request(1, "tools/call", { name: "ask" }) });
    await stream.next();
    const question = await stream.next();
    const body = { jsonrpc: "2.0", id: question?.data.id, result: 1 };
    assert.equal((await call(url, { headers, body })).status, 400);
    const reply = await stream.next();
    assert.equal(reply?.data.id, 1);
    assert.ok(reply.data.error !== undefined || reply.data.result.isError === true);
  });

  test("tells a call at once that a client of JSON alone cannot be asked", async () => {
    const headers = await openSession(url, "2025-11-25", { elicitation: {} });
    const answer = await call(url, {
      headers: { ...headers, accept: "application/json" },
      body: request(1, "tools/call", { name: "ask" }),
    });
    assert.equal(answer.json.result.isError, true);
    assert.match(answer.json.result.content[0].text, /text\/event-stream/);
  });

  test("sends changes on the GET stream, to the newest of several, each once", async () => {
    const headers = await openSession(url);
    const older = await listen(url, { method: "GET", headers });
    const newer = await listen(url, { method: "GET", headers });
    assert.equal(newer.headers["content-type"], "text/event-stream");
    server.addTool({ name: "added", run: () => "" });
    const change = await newer.next();
    assert.equal(change?.data.method, "notifications/tools/list_changed");
    newer.leave();
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.removeTool("added");
    assert.equal((await older.next())?.data.method, "notifications/tools/list_changed");
    assert.equal(older.text().match(/data:/g)?.length, 1);
    older.leave();
  });

  test("keeps a change for the client that comes to listen", async () => {
    const headers = await openSession(url);
    server.addTool({ name: "early", run: () => "" });
    server.removeTool("early");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const stream = await listen(url, { method: "GET", headers });
    assert.equal((await stream.next())?.data.method, "notifications/tools/list_changed");
    stream.leave();
  });

  test("cancels by a notification, and the call's answer ends without a reply", async () => {
    const headers = await openSession(url);
    cancelled.length = 0;
    const running = listen(url, { headers, body: request(7, "tools/call", { name: "wait" }) });
    await until("it runs", () => waiting() === 1);
    await call(url, {
      headers,
      body: notification("notifications/cancelled", { requestId: 7, reason: "enough" }),
    });
    const stream = await running;
    assert.equal(await stream.next(), undefined);
    assert.deepEqual(cancelled, ["enough"]);
  });

  test("a lost connection does not cancel the call", async () => {
    const headers = await openSession(url);
    cancelled.length = 0;
    const calling = new AbortController();
    const lost = call(url, {
      headers,
      body: request(1, "tools/call", { name: "wait" }),
      signal: calling.signal,
    });
    await until("it runs", () => waiting() === 1);
    calling.abort();
    await assert.rejects(lost);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(waiting(), 1);
    release();
    assert.deepEqual(cancelled, []);
  });

  test("ends its calls and streams when it ends", async () => {
    const headers = await openSession(url);
    cancelled.length = 0;
    const stream = await listen(url, { method: "GET", headers });
    const running = listen(url, { headers, body: request(1, "tools/call", { name: "wait" }) });
    await until("it runs", () => waiting() === 1);
    await call(url, { method: "DELETE", headers });
    assert.equal(await (await running).next(), undefined);
    assert.equal(await stream.next(), undefined);
    assert.deepEqual(cancelled, ["The session has ended"]);
  });

  describe("batches", () => {
    test("2025-03-26 answers one with one array", async () => {
      const headers = await openSession(url, "2025-03-26");
      const body = [
        request(1, "ping"),
        notification("notifications/x"),
        request("1", "tools/call", { name: "echo", arguments: { text: "b" } }),
        { jsonrpc: "2.0", id: null, method: "ping" },
      ];
      const { status, json: replies } = await call(url, { headers, body });
      assert.equal(status, 200);
      const ids = replies.map(({ id }: { id: unknown }) => id);
      assert.deepEqual(new Set(ids), new Set([1, "1", null]));
    });

    test("only of notifications and replies is accepted without a body", async () => {
      const headers = await openSession(url, "2025-03-26");
      const body = [notification("notifications/x"), { jsonrpc: "2.0", id: 5, result: {} }];
      assert.equal((await call(url, { headers, body })).status, 202);
    });

    test("all faulty is answered all the same", async () => {
      const headers = await openSession(url, "2025-03-26");
      const { json: replies } = await call(url, {
        headers,
        body: [1, { jsonrpc: "1.0", id: 3, method: "x" }],
      });
      assert.deepEqual(
        replies.map(({ error }: { error: { code: number } }) => error.code),
        [-32600, -32600],
      );
    });

    test("with all of its calls cancelled ends without a reply", async () => {
      const headers = await openSession(url, "2025-03-26");
      const body = ["a", "b"].map((id) => request(id, "tools/call", { name: "wait" }));
      const running = listen(url, { headers, body });
      await until("both run", () => waiting() === 2);
      for (const requestId of ["a", "b"])
        await call(url, { headers, body: notification("notifications/cancelled", { requestId }) });
      assert.equal(await (await running).next(), undefined);
    });

    test("with an id twice is refused", async () => {
      const headers = await openSession(url, "2025-03-26");
      const answer = await call(url, { headers, body: [request(1, "ping"), request(1, "ping")] });
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.message, /The id 1 is in flight/);
    });

    for (const version of handshakeVersions.filter((one) => one !== "2025-03-26"))
      test(`${version} refuses one`, async () => {
        const headers = await openSession(url, version);
        const answer = await call(url, { headers, body: [request(1, "ping")] });
        assert.equal(answer.status, 400);
        assert.match(answer.json.error.message, /only sessions of 2025-03-26 have batches/);
      });

    test("cannot open a session", async () => {
      const body = [request(1, "initialize", initializeParams("2025-03-26"))];
      assert.equal((await call(url, { headers: json, body })).status, 400);
    });
  });

  describe("resuming by Last-Event-ID", () => {
    for (const version of handshakeVersions.filter((one) => one !== "2024-11-05"))
      test(`${version} continues a call's stream after the last event that was seen`, async () => {
        const headers = await openSession(url, version, { elicitation: {} });
        const params = { name: "steps", _meta: { progressToken: 1 } };
        const stream = await listen(url, { headers, body: request(1, "tools/call", params) });
        let first = await stream.next();
        if (version === "2025-11-25") {
          assert.equal(first?.data, undefined, "2025-11-25 primes the stream");
          first = await stream.next();
        }
        assert.equal(first?.data.params.progress, 1);
        stream.leave();
        await new Promise((resolve) => setTimeout(resolve, 30));
        const resumed = await listen(url, {
          method: "GET",
          headers: { ...headers, "last-event-id": first?.id ?? "" },
        });
        assert.equal((await resumed.next())?.data.params.progress, 2);
        assert.equal((await resumed.next())?.data.params.progress, 3);
        assert.equal((await resumed.next())?.data.id, 1);
        assert.equal(await resumed.next(), undefined, "the stream had ended");
      });

    test("continues a stream that is still running", async () => {
      const headers = await openSession(url, "2025-11-25", { elicitation: {} });
      const stream = await listen(url, {
        headers,
        body: request(1, "tools/call", { name: "ask" }),
      });
      const priming = await stream.next();
      stream.leave();
      const resumed = await listen(url, {
        method: "GET",
        headers: { ...headers, "last-event-id": priming?.id ?? "" },
      });
      const question = await resumed.next();
      const body = { jsonrpc: "2.0", id: question?.data.id, result: { action: "decline" } };
      await call(url, { headers, body });
      assert.match((await resumed.next())?.data.result.content[0].text, /^decline/);
      assert.equal(await resumed.next(), undefined);
    });

    test("never gives what belongs to another stream", async () => {
      const headers = await openSession(url);
      const params = { name: "steps", _meta: { progressToken: 1 } };
      const one = await listen(url, { headers, body: request(1, "tools/call", params) });
      const two = await listen(url, { headers, body: request(2, "tools/call", params) });
      const seen = (await one.next())?.id ?? "";
      await Promise.all([one.ended, two.ended]);
      const resumed = await listen(url, {
        method: "GET",
        headers: { ...headers, "last-event-id": seen },
      });
      await resumed.ended;
      assert.match(resumed.text(), /"id":1/);
      assert.doesNotMatch(resumed.text(), /"id":2/);
    });

    for (const id of ["1", "0-99", "77-1", "1-1, 1-1", "-1-1"])
      test(`refuses ${id}, which was never given out`, async () => {
        const headers = await openSession(url);
        const answer = await call(url, {
          method: "GET",
          headers: { ...headers, "last-event-id": id },
        });
        assert.equal(answer.status, 400);
      });
  });
});
