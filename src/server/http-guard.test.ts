import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, json, speakRaw, stateless } from "../../fixtures/http-caller.ts";
import { createSubject } from "../../fixtures/http-subject.ts";
import { serveHttp } from "./index.ts";
import type { HttpService, ServeHttpOptions } from "./index.ts";

type Row = readonly [
  what: string,
  headers: Record<string, string | readonly string[]>,
  status: number,
  text?: RegExp,
];

function check(title: string, options: ServeHttpOptions, rows: readonly Row[]): void {
  describe(title, () => {
    let http: HttpService;
    before(async () => {
      http = await serveHttp(createSubject().server, options);
    });
    after(() => http.close());
    for (const [what, headers, status, text] of rows)
      test(what, async () => {
        const { port } = new URL(http.url);
        const sent = stateless("tools/list");
        const replaced = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            typeof value === "string" ? value.replace("PORT", port) : value,
          ]),
        );
        const answer = await call(http.url, {
          headers: { ...sent.headers, ...replaced },
          body: sent.body,
        });
        assert.equal(answer.status, status, answer.text);
        if (text !== undefined) assert.match(answer.json.error.message, text);
      });
  });
}

const byOption = /its operator adds "evil\.example" to the option allowedHosts/;

check("the guard of Host, as it is", {}, [
  ["takes 127.0.0.1 and the port", { host: "127.0.0.1:PORT" }, 200],
  ["takes localhost", { host: "localhost:PORT" }, 200],
  ["takes LOCALHOST with a trailing dot", { host: "LOCALHOST.:PORT" }, 200],
  ["takes another port: a forwarded one", { host: "localhost:1" }, 200],
  ["takes an IPv6 address", { host: "[::1]:PORT" }, 200],
  ["takes an address of the network: a page cannot have it for a name", { host: "192.168.1.7" }, 200],
  ["refuses a page's own name", { host: "evil.example:PORT" }, 403, byOption],
  ["refuses it with a trailing dot", { host: "evil.example.:PORT" }, 403, byOption],
  ["refuses a name that begins with an address", { host: "127.0.0.1.evil.example" }, 403],
  ["refuses a name that ends in localhost's letters", { host: "evillocalhost" }, 403],
  ["refuses an address in a shape of its own", { host: "127.1" }, 403],
  ["refuses an address that is none", { host: "256.0.0.1" }, 403],
  ["refuses a host with a user", { host: "evil.example@127.0.0.1" }, 400],
  ["refuses a host with a path", { host: "127.0.0.1/evil.example" }, 400],
  ["refuses a port that is none", { host: "localhost:99999" }, 400],
  ["refuses an address in open brackets", { host: "[::1" }, 400],
  ["refuses an address that only looks like IPv6", { host: "[1:2]" }, 400],
  ["refuses a host of 300 letters and more", { host: "a".repeat(301) }, 400],
]); // prettier-ignore

check("the guard of Host, with names", { allowedHosts: ["MCP.example.com.", "other.example:8443"] }, [
  ["takes the name", { host: "mcp.example.com" }, 200],
  ["takes the name with any port", { host: "mcp.example.com.:99" }, 200],
  ["takes the name with its port", { host: "other.example:8443" }, 200],
  ["refuses it with another", { host: "other.example:8444" }, 403],
  ["refuses a name below", { host: "a.mcp.example.com" }, 403],
]); // prettier-ignore

check("the guard of Host, with any", { allowedHosts: ["*"] }, [
  ["takes every name", { host: "evil.example" }, 200],
  ["refuses what is none", { host: "a b" }, 400],
]); // prettier-ignore

const byOrigin = /its operator adds it to the option allowedOrigins/;

check("the guard of Origin, as it is", {}, [
  ["takes a page of this machine", { origin: "http://localhost:5173" }, 200],
  ["takes a page of this machine by its address", { origin: "http://127.0.0.1:5173" }, 200],
  ["takes a page of this machine by IPv6", { origin: "http://[::1]:5173" }, 200],
  ["takes a page of the server itself", { host: "192.168.1.7", origin: "http://192.168.1.7" }, 200],
  ["takes a page of the server itself, with the port", { host: "192.168.1.7:81", origin: "http://192.168.1.7:81" }, 200],
  ["refuses any other", { origin: "https://evil.example" }, 403, byOrigin],
  ["refuses null, which any page can have", { origin: "null" }, 403, /Origin is "null"/],
  ["refuses an empty one", { origin: "" }, 403],
  ["refuses a path", { origin: "http://localhost/a" }, 403],
  ["refuses two", { origin: ["http://localhost", "http://evil.example"] }, 403],
  ["refuses a name that begins with localhost", { origin: "http://localhost.evil.example" }, 403],
  ["refuses a user", { origin: "http://localhost@evil.example" }, 403],
]); // prettier-ignore

check("the guard of Origin, with origins", { allowedOrigins: ["https://app.example.com/", "null"] }, [
  ["takes the origin", { origin: "https://app.example.com" }, 200],
  ["takes null where it is listed", { origin: "null" }, 200],
  ["refuses another scheme", { origin: "http://app.example.com" }, 403],
  ["refuses another port", { origin: "https://app.example.com:8443" }, 403],
  ["refuses this machine, which is not listed", { origin: "http://localhost:5173" }, 403],
]); // prettier-ignore

describe("CORS", () => {
  let http: HttpService;
  const origin = "http://localhost:5173";
  before(async () => {
    http = await serveHttp(createSubject().server);
  });
  after(() => http.close());

  test("a page reads the answer and the headers it needs", async () => {
    const { headers, body } = stateless("tools/list");
    const answer = await call(http.url, { headers: { ...headers, origin }, body });
    assert.equal(answer.headers["access-control-allow-origin"], origin);
    assert.match(String(answer.headers["access-control-expose-headers"]), /Mcp-Session-Id/);
    assert.equal(answer.headers.vary, "Origin");
  });

  test("a page reads why it is refused, unless it may not call at all", async () => {
    const allowed = await call(http.url, { headers: { ...json, origin }, body: "{" });
    assert.equal(allowed.headers["access-control-allow-origin"], origin);
    const refused = await call(http.url, { headers: { ...json, origin: "https://evil.example" } });
    assert.equal(refused.headers["access-control-allow-origin"], undefined);
  });

  test("a preflight allows the protocol's headers, and the tools' parameters that are asked for", async () => {
    const answer = await call(http.url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "mcp-param-region, x-evil, mcp-param-\u00e9",
        "access-control-request-private-network": "true",
      },
    });
    assert.equal(answer.status, 204);
    const allowed = String(answer.headers["access-control-allow-headers"]);
    assert.match(allowed, /Authorization, MCP-Protocol-Version, .*mcp-param-region$/);
    assert.doesNotMatch(allowed, /evil|\u00e9/);
    assert.equal(answer.headers["access-control-allow-private-network"], "true");
    assert.match(String(answer.headers["access-control-allow-methods"]), /DELETE/);
  });

  test("a preflight of another page is refused", async () => {
    const answer = await call(http.url, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example" },
    });
    assert.equal(answer.status, 403);
  });

  test("without a page there is nothing of it", async () => {
    const { headers, body } = stateless("tools/list");
    const answer = await call(http.url, { headers, body });
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
  });
});

describe("what only raw bytes can say", () => {
  let http: HttpService;
  let port: string;
  before(async () => {
    http = await serveHttp(createSubject().server);
    port = new URL(http.url).port;
  });
  after(() => http.close());
  const body = `{"jsonrpc":"2.0","id":1,"method":"ping"}`;
  const head = (...lines: readonly string[]) =>
    `${[`POST /mcp HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`;
  const host = () => `Host: 127.0.0.1:${port}`;
  const plain = "Content-Type: application/json";

  const rows: readonly (readonly [what: string, bytes: () => string | readonly string[], expected: RegExp])[] = [
    ["no Host", () => head(plain, "Content-Length: 2") + "{}", /^HTTP\/1\.1 400 .*Host is missing/s],
    ["two hosts", () => head(host(), "Host: evil.example", plain, "Content-Length: 2") + "{}", /^HTTP\/1\.1 400 .*Host is .*evil\.example/s],
    ["not HTTP at all", () => "hello\r\n\r\n", /^HTTP\/1\.1 400 .*not HTTP as this server reads it/s],
    ["TLS on a plain port", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", /^HTTP\/1\.1 400 /],
    ["a line feed in a header", () => head(host(), plain, "X: a\nInjected: b", "Content-Length: 2") + "{}", /^HTTP\/1\.1 400 /],
    ["a NUL in a header", () => head(host(), plain, "Mcp-Session-Id: a\0b", "Content-Length: 2") + "{}", /^HTTP\/1\.1 400 /],
    ["a space before the colon", () => head(host(), plain, "Content-Length : 2") + "{}", /^HTTP\/1\.1 400 /],
    ["two lengths", () => head(host(), plain, "Content-Length: 2", "Content-Length: 3") + "{}", /^HTTP\/1\.1 400 /],
    ["a length and chunks (smuggling)", () => head(host(), plain, "Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n", /^HTTP\/1\.1 400 /],
    ["an encoding after chunked", () => head(host(), plain, "Transfer-Encoding: chunked, identity") + "0\r\n\r\n", /^HTTP\/1\.1 400 /],
    ["a chunk size that is none", () => head(host(), plain, "Transfer-Encoding: chunked") + "xyz\r\n", /^HTTP\/1\.1 400 /],
    ["a chunk without its end", () => head(host(), plain, "Transfer-Encoding: chunked") + "2\r\n{}}}\r\n0\r\n\r\n", /^HTTP\/1\.1 400 /],
    ["chunk extensions without end", () => head(host(), plain, "Transfer-Encoding: chunked") + `2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, /^HTTP\/1\.1 413 /],
    ["good chunks, one byte each", () => [head(host(), plain, "Connection: close", "Transfer-Encoding: chunked"), ...Array.from(body, (byte) => `1\r\n${byte}\r\n`), "0\r\n\r\n"], /^HTTP\/1\.1 400 .*Mcp-Session-Id is missing/s],
    ["Expect: 100-continue with a good body", () => [head(host(), plain, "Connection: close", "Expect: 100-continue", `Content-Length: ${body.length}`), body], /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /],
    ["Expect: 100-continue with a large body", () => head(host(), plain, "Expect: 100-continue", "Content-Length: 99999999"), /^HTTP\/1\.1 413 /],
    ["Expect of something else", () => head(host(), plain, "Expect: more", "Content-Length: 2") + "{}", /^HTTP\/1\.1 417 /],
    ["an absolute target", () => `POST http://127.0.0.1:${port}/mcp HTTP/1.1\r\n${host()}\r\nConnection: close\r\n${plain}\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1\.1 400 .*Cannot read the body/s],
    ["an absolute target of another host", () => `POST http://evil.example/mcp HTTP/1.1\r\n${host()}\r\nConnection: close\r\n${plain}\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1\.1 400 .*request is for .*evil\.example/s],
    ["an absolute target with a user", () => `POST http://a@127.0.0.1:${port}/mcp HTTP/1.1\r\n${host()}\r\nConnection: close\r\n${plain}\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1\.1 400 .*request is for/s],
    ["an asterisk for a target", () => `OPTIONS * HTTP/1.1\r\n${host()}\r\nConnection: close\r\n\r\n`, /^HTTP\/1\.1 404 /],
    ["a path with dots", () => `POST /a/../mcp HTTP/1.1\r\n${host()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, /^HTTP\/1\.1 404 /],
    ["an upgrade", () => head(host(), plain, "Connection: Upgrade", "Upgrade: websocket", "Content-Length: 2") + "{}", /^HTTP\/1\.1 400 .*jsonrpc/s],
    ["CONNECT", () => `CONNECT evil.example:443 HTTP/1.1\r\n${host()}\r\n\r\n`, /^$/],
    ["HTTP/1.0 without Host", () => `GET /mcp HTTP/1.0\r\n\r\n`, /^HTTP\/1\.1 400 .*Host is missing/s],
  ]; // prettier-ignore
  for (const [what, bytes, expected] of rows)
    test(what, async () => assert.match(await speakRaw(http.url, bytes()), expected));

  test("HEAD is refused without a body", async () => {
    const heard = await speakRaw(
      http.url,
      `HEAD /mcp HTTP/1.1\r\n${host()}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(heard, /^HTTP\/1\.1 405 [^{]*\r\n\r\n$/);
  });

  test("a body that is cut off harms nobody else", async () => {
    await speakRaw(http.url, `${head(host(), plain, "Content-Length: 100")}{`, { leaveMs: 20 });
    assert.equal((await call(http.url, stateless("tools/list"))).status, 200);
  });

  test("several requests on one connection are answered in order", async () => {
    const one = head(host(), plain, `Content-Length: ${body.length}`) + body;
    const heard = await speakRaw(
      http.url,
      one + one + head(host(), plain, "Connection: close", "Content-Length: 2") + "{}",
    );
    assert.equal(heard.match(/HTTP\/1\.1 400/g)?.length, 3);
  });
});
