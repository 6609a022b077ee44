import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, json, listen, openSession, stateless } from "../../fixtures/http-caller.ts";
import { createSubject, until } from "../../fixtures/http-subject.ts";
import { serveHttp } from "./index.ts";
import type { HttpService } from "./index.ts";

describe("serveHttp(), stateless", () => {
  const { server, cancelled, reports, waiting, release } = createSubject();
  let http: HttpService;
  let url: string;
  before(async () => {
    http = await serveHttp(server);
    url = http.url;
  });
  after(() => http.close());

  const callTool = (name: string, args: object = {}, more: object = {}) =>
    stateless("tools/call", { name, arguments: args, ...more });

  test("listens on 127.0.0.1, any port, at /mcp", () => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });

  test("answers a request with JSON when nothing comes before its reply", async () => {
    const { status, headers, json: reply } = await call(url, callTool("echo", { text: "hé" }));
    assert.equal(status, 200);
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["mcp-session-id"], undefined);
    assert.deepEqual(reply.result.content, [{ type: "text", text: "hé" }]);
    assert.equal(reply.result.resultType, "complete");
  });

  test("answers with a stream when a notification comes first, and ends it after the reply", async () => {
    const stream = await listen(url, callTool("steps", {}, { _meta: { progressToken: "p" } }));
    assert.equal(stream.status, 200);
    assert.equal(stream.headers["content-type"], "text/event-stream");
    assert.equal(stream.headers["x-accel-buffering"], "no");
    for (const progress of [1, 2, 3])
      assert.equal((await stream.next())?.data.params.progress, progress);
    const reply = await stream.next();
    assert.equal(reply?.id, undefined, "these streams cannot be resumed");
    assert.equal(reply?.data.result.content[0].text, "3");
    assert.equal(await stream.next(), undefined);
  });

  test("leaves the notifications out for a client that takes JSON only", async () => {
    const { headers, body } = callTool("steps", {}, { _meta: { progressToken: "p" } });
    const answer = await call(url, { headers: { ...headers, accept: "application/json" }, body });
    assert.equal(answer.json.result.content[0].text, "3");
  });

  test("answers with a stream where a client takes nothing else", async () => {
    const { headers, body } = callTool("echo", { text: "x" });
    const stream = await listen(url, {
      headers: { ...headers, accept: "text/event-stream" },
      body,
    });
    assert.equal((await stream.next())?.data.result.content[0].text, "x");
    assert.equal(await stream.next(), undefined);
  });

  test("tells a listener of changes until the server ends, and says then that it was in order", async () => {
    const one = createSubject();
    const service = await serveHttp(one.server);
    const listening = stateless("subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });
    const stream = await listen(service.url, listening);
    const acknowledged = await stream.next();
    assert.equal(acknowledged?.data.method, "notifications/subscriptions/acknowledged");
    one.server.addTool({ name: "later", run: () => "" });
    const change = await stream.next();
    assert.equal(change?.data.method, "notifications/tools/list_changed");
    assert.equal(
      change?.data.params._meta["io.modelcontextprotocol/subscriptionId"],
      listening.body["id"],
    );
    const closing = service.close();
    const last = await stream.next();
    assert.equal(last?.data.id, listening.body["id"]);
    assert.equal(last?.data.result.resultType, "complete");
    assert.equal(await stream.next(), undefined);
    await closing;
  });

  test("a closed stream cancels the call", async () => {
    const stream = await listen(url, {
      ...callTool(
        "large",
        { bytes: 1e9 },
        { _meta: { "io.modelcontextprotocol/logLevel": "info" } },
      ),
    });
    await stream.next();
    stream.leave();
    cancelled.length = 0;
    const calling = new AbortController();
    const lost = call(url, { ...callTool("wait"), signal: calling.signal });
    await until("the call runs", () => waiting() === 1);
    calling.abort();
    await assert.rejects(lost);
    await until("the call is cancelled", () => cancelled.length === 1);
    assert.deepEqual(cancelled, ["The caller closed the connection"]);
  });

  test("two callers may use the same id at the same time", async () => {
    const waits = [1, 2].map(() =>
      call(url, stateless("tools/call", { name: "wait" }, { id: "same" })),
    );
    await until("both run", () => waiting() === 2);
    release();
    for (const { status } of await Promise.all(waits)) assert.equal(status, 200);
  });

  test("asks by its result, and continues with the answer", async () => {
    const capabilities = { elicitation: {} };
    const asked = await call(url, stateless("tools/call", { name: "ask" }, { capabilities }));
    const { resultType, inputRequests, requestState } = asked.json.result;
    assert.equal(resultType, "input_required");
    const [key = ""] = Object.keys(inputRequests);
    const inputResponses = { [key]: { action: "accept", content: { name: "Aki" } } };
    const answered = await call(
      url,
      stateless("tools/call", { name: "ask", requestState, inputResponses }, { capabilities }),
    );
    assert.equal(answered.json.result.content[0].text, "accept Aki");
  });

  test("a notification is accepted without a body", async () => {
    const { headers, body } = stateless("notifications/cancelled", { requestId: 1 });
    const answer = await call(url, { headers, body: { ...body, id: undefined } });
    assert.equal(answer.status, 202);
    assert.equal(answer.text, "");
  });

  test("a session's id is ignored, and none is given out", async () => {
    const { headers, body } = callTool("echo", { text: "x" });
    const answer = await call(url, { headers: { ...headers, "mcp-session-id": "made-up" }, body });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["mcp-session-id"], undefined);
  });

  test("both eras are answered at the same time", async () => {
    const session = await openSession(url);
    const [modern, legacy] = await Promise.all([
      call(url, stateless("tools/list")),
      call(url, { headers: session, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }),
    ]);
    assert.equal(modern.json.result.resultType, "complete");
    assert.equal(legacy.json.result.resultType, undefined);
    assert.equal(modern.json.result.tools.length, legacy.json.result.tools.length);
  });

  describe("refuses with a precise status and error", () => {
    const echo = callTool("echo", { text: "x" });
    const changed = (
      headers: Record<string, string | readonly string[] | undefined>,
      body: unknown = echo.body,
    ) => ({
      headers: { ...echo.headers, ...headers },
      body,
    });
    const routed = (args: object, headers: Record<string, string>) => {
      const { headers: own, body } = callTool("routed", args);
      return { headers: { ...own, ...headers }, body };
    };
    const withMeta = (_meta: object | undefined) => ({
      ...echo.body,
      params: { name: "echo", arguments: {}, _meta },
    });
    const capabilities = { "io.modelcontextprotocol/clientCapabilities": {} };
    const of1900 = { "io.modelcontextprotocol/protocolVersion": "1900-01-01", ...capabilities };
    const of2025 = { "io.modelcontextprotocol/protocolVersion": "2025-11-25", ...capabilities };

    const cases: readonly (readonly [what: string, sent: Parameters<typeof call>[1], status: number, code: number, text: RegExp])[] = [
      ["a missing version header", changed({ "mcp-protocol-version": undefined }), 400, -32020, /MCP-Protocol-Version is missing/],
      ["another version in the header", changed({ "mcp-protocol-version": "2025-11-25" }), 400, -32020, /MCP-Protocol-Version is "2025-11-25"/],
      ["a doubled version header", changed({ "mcp-protocol-version": ["2026-07-28", "2026-07-28"] }), 400, -32020, /2026-07-28, 2026-07-28/],
      ["a missing Mcp-Method", changed({ "mcp-method": undefined }), 400, -32020, /Mcp-Method is missing/],
      ["another Mcp-Method", changed({ "mcp-method": "tools/list" }), 400, -32020, /Mcp-Method is "tools\/list"/],
      ["Mcp-Method in another case", changed({ "mcp-method": "TOOLS/CALL" }), 400, -32020, /TOOLS/],
      ["a missing Mcp-Name", changed({ "mcp-name": undefined }), 400, -32020, /Mcp-Name is missing/],
      ["another Mcp-Name", changed({ "mcp-name": "steps" }), 400, -32020, /Mcp-Name is "steps"/],
      ["a doubled Mcp-Name", changed({ "mcp-name": ["echo", "echo"] }), 400, -32020, /echo, echo/],
      ["an Mcp-Name whose base64 is none", changed({ "mcp-name": "=?base64?ZWNobw?=" }), 400, -32020, /not well-formed/],
      ["an Mcp-Name that is no ASCII", changed({ "mcp-name": "\u00e9cho" }), 400, -32020, /not well-formed/],
      ["a missing parameter header", routed({ region: "eu" }, {}), 400, -32020, /mcp-param-region is missing/],
      ["another value in a parameter header", routed({ region: "eu" }, { "mcp-param-region": "us" }), 400, -32020, /mcp-param-region is "us"/],
      ["a parameter header without a parameter", routed({}, { "mcp-param-region": "us" }), 400, -32020, /absent/],
      ["a parameter header beside null", routed({ region: null }, { "mcp-param-region": "null" }), 400, -32020, /absent/],
      ["an integer that is another", routed({ count: 42 }, { "mcp-param-count": "0x2a" }), 400, -32020, /0x2a/],
      ["a nested boolean that differs", routed({ deep: { flag: true } }, { "mcp-param-flag": "TRUE" }), 400, -32020, /TRUE/],
      ["an unknown version", changed({ "mcp-protocol-version": "1900-01-01" }, withMeta(of1900)), 400, -32022, /Unsupported/],
      ["a version of the other era in _meta", changed({ "mcp-protocol-version": "2025-11-25" }, withMeta(of2025)), 400, -32022, /Unsupported/],
      ["no _meta", changed({}, withMeta(undefined)), 400, -32602, /"_meta" is absent/],
      ["_meta without the version", changed({}, withMeta(capabilities)), 400, -32602, /protocolVersion" is absent/],
      ["_meta without capabilities", changed({}, withMeta({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" })), 400, -32602, /clientCapabilities/],
      ["a method that does not exist", stateless("tools/fly"), 404, -32601, /Method not found/],
      ["a method of the other era", stateless("ping"), 404, -32601, /Method not found/],
      ["initialize with _meta", stateless("initialize"), 404, -32601, /Method not found/],
      ["a client without the capability", callTool("ask"), 400, -32021, /elicitation/],
      ["a batch", { headers: echo.headers, body: [echo.body] }, 400, -32600, /array/],
      ["an empty batch", { headers: echo.headers, body: [] }, 400, -32600, /array/],
      ["a reply", { headers: echo.headers, body: { jsonrpc: "2.0", id: 1, result: {} } }, 400, -32600, /reply/],
      ["a broken body", { headers: echo.headers, body: `{"jsonrpc":` }, 400, -32700, /Cannot read the body/],
      ["two messages in one body", { headers: echo.headers, body: `{}\n{}` }, 400, -32700, /follows a whole JSON object/],
      ["an empty body", { headers: echo.headers, body: "" }, 400, -32700, /blank/],
      ["a body that is not UTF-8", { headers: echo.headers, body: Buffer.from('{"a":"\xff"}', "latin1") }, 400, -32700, /byte 6 is not UTF-8/],
      ["id: null", { headers: echo.headers, body: { ...echo.body, id: null } }, 400, -32600, /"id" is null/],
      ["no Content-Type", changed({ "content-type": undefined }), 415, -32600, /Content-Type is missing/],
      ["another Content-Type", changed({ "content-type": "text/plain" }), 415, -32600, /text\/plain/],
      ["a doubled Content-Type", changed({ "content-type": ["application/json", "text/plain"] }), 415, -32600, /Content-Type/],
      ["another charset", changed({ "content-type": "application/json; charset=latin1" }), 415, -32600, /latin1/],
      ["a compressed body", changed({ "content-encoding": "gzip" }), 415, -32600, /Content-Encoding is "gzip"/],
      ["Accept without either type", changed({ accept: "text/html" }), 406, -32600, /Accept is "text\/html"/],
      ["Accept that excludes both", changed({ accept: "application/json;q=0, text/event-stream; q=0.0" }), 406, -32600, /Accept/],
      ["GET", { method: "GET", headers: { "mcp-protocol-version": "2026-07-28", "mcp-session-id": "x" } }, 405, -32600, /GET/],
      ["DELETE", { method: "DELETE" }, 405, -32600, /DELETE/],
      ["PUT", { ...echo, method: "PUT" }, 405, -32600, /PUT/],
    ]; // prettier-ignore

    for (const [what, sent, status, code, text] of cases) {
      test(what, async () => {
        const answer = await call(url, sent);
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.json.error.code, code);
        assert.match(answer.json.error.message, text);
        assert.equal(answer.headers["content-type"], "application/json");
      });
    }

    test("with the request's id, where there is one, and none else", async () => {
      const mismatch = await call(url, changed({ "mcp-method": "x" }));
      assert.equal(mismatch.json.id, echo.body["id"]);
      const broken = await call(url, { headers: echo.headers, body: "{" });
      assert.equal("id" in broken.json, false);
    });

    test("with the versions it has, when it has not the one that is asked for", async () => {
      const answer = await call(
        url,
        changed({ "mcp-protocol-version": "1900-01-01" }, withMeta(of1900)),
      );
      assert.equal(answer.json.error.data.requested, "1900-01-01");
      assert.equal(answer.json.error.data.supported[0], "2026-07-28");
    });

    test("with Allow, for a method that HTTP has and MCP has not", async () => {
      assert.equal(
        (await call(url, { ...echo, method: "PATCH" })).headers.allow,
        "POST, GET, DELETE, OPTIONS",
      );
      assert.equal((await call(url, { method: "GET" })).headers.allow, "POST, OPTIONS");
    });

    test("another path", async () => {
      const answer = await call(new URL("/other", url).href, echo);
      assert.equal(answer.status, 404);
      assert.match(answer.json.error.message, /expected \/mcp/);
    });
  });

  describe("accepts what says the same in another way", () => {
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
    const cases: readonly (readonly [what: string, sent: Parameters<typeof call>[1]])[] = [
      ["no Accept", { headers: { ...stateless("tools/list").headers, accept: undefined }, body: stateless("tools/list").body }],
      ["any Accept", { ...stateless("tools/list"), headers: { ...stateless("tools/list").headers, accept: "*/*" } }],
      ["a charset of UTF-8", { ...stateless("tools/list"), headers: { ...stateless("tools/list").headers, "content-type": 'Application/JSON; charset="UTF-8"' } }],
      ["a name in base64", { ...callTool("echo", { text: "" }), headers: { ...callTool("echo").headers, "mcp-name": encoded("echo") } }],
      ["a URI in base64", { ...stateless("resources/read", { uri: "note://größe" }), headers: { ...stateless("resources/read").headers, "mcp-name": encoded("note://größe") } }],
      ["an integer written as 42.0", { ...callTool("routed", { count: 42 }), headers: { ...callTool("routed").headers, "mcp-param-count": "42.0" } }],
      ["a nested parameter", { ...callTool("routed", { deep: { flag: false } }), headers: { ...callTool("routed").headers, "mcp-param-flag": "false" } }],
      ["a parameter header that no schema names", { ...callTool("routed"), headers: { ...callTool("routed").headers, "mcp-param-other": "x" } }],
      ["a query beside the path", stateless("tools/list")],
    ]; // prettier-ignore
    for (const [what, sent] of cases) {
      test(what, async () => {
        const answer = await call(what.startsWith("a query") ? `${url}?a=b` : url, sent);
        assert.equal(answer.status, 200, answer.text);
        assert.ok("result" in answer.json);
      });
    }
  });

  test("an error of the tool's own stays in the body, and tells nothing inner", async () => {
    const broken = await call(url, callTool("break"));
    assert.equal(broken.status, 200);
    assert.equal(broken.json.error.code, -32603);
    assert.equal(broken.text.includes("secret"), false);
    assert.match(reports.join("\n"), /the inner secret/);
    const failed = await call(url, callTool("fail"));
    assert.equal(failed.json.result.isError, true);
  });

  test("a pretty-printed body is one message", async () => {
    const { headers, body } = stateless("tools/list");
    const answer = await call(url, { headers, body: `${JSON.stringify(body, null, 2)}\r\n` });
    assert.equal(answer.status, 200);
  });
});

describe("serveHttp(), stopping", () => {
  test("lets a running call finish, and refuses a new one", async () => {
    const { server, waiting, release } = createSubject();
    const http = await serveHttp(server);
    const running = call(http.url, stateless("tools/call", { name: "wait" }));
    await until("it runs", () => waiting() === 1);
    const closing = http.close();
    await assert.rejects(call(http.url, stateless("tools/list")));
    release();
    assert.equal((await running).json.result.content[0].text, "released");
    await closing;
  });

  test("answers 503 for a call that takes longer than it waits", async () => {
    const { server, cancelled, waiting } = createSubject({ limits: { drainMs: 50 } });
    const http = await serveHttp(server);
    const running = call(http.url, stateless("tools/call", { name: "wait" }));
    await until("it runs", () => waiting() === 1);
    await Promise.all([http.close(), server[Symbol.asyncDispose]()]);
    const answer = await running;
    assert.equal(answer.status, 503);
    assert.match(answer.json.error.message, /stopping/);
    assert.equal(cancelled.length, 1);
  });

  test("closes twice without harm, and by `await using`", async () => {
    const { server } = createSubject();
    await using http = await serveHttp(server);
    await http.close();
    await http.close();
    await assert.rejects(call(http.url, { headers: json, body: "{}" }));
  });
});

describe("serveHttp() tells its caller", () => {
  const { server } = createSubject();
  const refuses = (options: Parameters<typeof serveHttp>[1], expected: RegExp) =>
    assert.rejects(serveHttp(server, options), (error: Error) => expected.test(error.message));

  test("that a port is taken", async () => {
    await using http = await serveHttp(server);
    const port = Number(new URL(http.url).port);
    await refuses({ port }, /^Cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE$/);
  });
  test("that a path is none", () => refuses({ path: "mcp" }, /^Cannot serve at "mcp"/));
  const misspelt = { maxBodyBytes: 1, maxBodies: 1 };
  test("that a limit does not exist", () =>
    refuses({ limits: misspelt }, /Cannot set the limit "maxBodies": there is no/));
  test("that a limit is none", () =>
    refuses({ maxBodyBytes: 0 }, /Cannot set the limit "maxBodyBytes": it is the number 0/));
  test("that a host is none", () =>
    refuses({ allowedHosts: ["http://a.example"] }, /Cannot allow the host "http:\/\/a\.example"/));
  test("that an origin is none", () =>
    refuses({ allowedOrigins: ["a.example"] }, /Cannot allow the origin "a\.example"/));
  test("that both kinds of proof are asked for", () =>
    refuses(
      {
        tokens: { list: ["0123456789012345678901"] },
        auth: { issuer: "https://a.example", jwks: { keys: [] } },
      },
      /Cannot take both tokens and auth/,
    ));
  test("that clients must leave a tool out over HTTP", async () => {
    const other = createSubject().server.addTool({
      name: "odd",
      input: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
      run: () => "",
    });
    await assert.rejects(
      serveHttp(other),
      /Cannot serve the tool "odd" over HTTP: the type of "a"/,
    );
  });
});
