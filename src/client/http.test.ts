// What the client makes of every misbehaviour the crooked HTTP server knows: works all the same, or fails and says what was seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openCrookedHttp, type CrookedHttp } from "../../fixtures/servers/crooked-http.ts";
import { httpKnobs, type World } from "../../fixtures/servers/http-knobs.ts";
import {
  ClientError,
  connect,
  type Client,
  type ClientErrorCode,
  type ConnectOptions,
  type UrlTarget,
} from "./index.ts";

interface Expected {
  readonly code: ClientErrorCode;
  /** What the error's text must contain. */
  readonly words: readonly string[];
}

interface Row {
  readonly value?: number;
  /** What connecting ends with; absent where it succeeds. */
  readonly connect?: Expected;
  readonly revision?: string;
  /** What calling `echo` with "hi" ends with; "hi" again where absent. */
  readonly call?: Expected;
  /** What a fault in the report must say. */
  readonly reported?: string;
  readonly options?: ConnectOptions;
  readonly target?: Omit<UrlTarget, "url">;
  /** Looks at the server, and at the client before it is closed. */
  readonly also?: (server: CrookedHttp, client: Client) => unknown;
}

const fails = (code: ClientErrorCode, ...words: string[]): Expected => ({ code, words });
const modern = "2026-07-28";
const legacy = "2025-11-25";

const rows: Readonly<Record<string, Row | readonly Row[]>> = {
  "stateless-only": { revision: modern },
  "handshake-only": { revision: legacy },
  status: [
    {
      value: 500,
      connect: fails("http", "500 Internal Server Error", "expected a JSON-RPC reply"),
    },
    { value: 404, connect: fails("http", "404 Not Found") },
    { value: 405, connect: fails("http", "405 Method Not Allowed") },
    { value: 406, connect: fails("http", "406 Not Acceptable") },
    { value: 503, connect: fails("http", "503 Service Unavailable") },
  ],
  "era-empty-400": { revision: legacy },
  "era-page-404": { revision: legacy },
  "era-wrong-version": { revision: "2025-06-18" },
  "session-forgotten": {
    revision: legacy,
    reported: "a new one was opened",
    also: async ({ world }, client) => {
      for (let count = 0; count < 10; count++) await client.callTool("echo", { text: "hi" });
      assert.ok(opened(world) > 2, "sessions are opened anew each time");
    },
  },
  "session-forgotten-by-400": { revision: legacy, reported: "a new one was opened" },
  "session-over-for-good": {
    revision: legacy,
    call: fails("http", "the server has ended the session", "503", "expected a new one"),
  },
  "session-bad-id": { connect: fails("http", "session id is not of visible ASCII") },
  "login-page": { connect: fails("http", "text/html", 'a web page titled "Sign in"') },
  "no-content-type": { call: fails("http", "no content type", "expected application/json") },
  compressed: { call: fails("http", "encoded as gzip", "expected none") },
  redirect: [
    { value: 307, also: keepsBodies },
    { value: 308, also: keepsBodies },
    { value: 301, also: keepsBodies },
    { value: 302, also: keepsBodies },
    { value: 303, connect: fails("http", "303 See Other", "expected 307 or 308") },
  ],
  "redirect-away": {
    target: { headers: { "x-api-key": "key-of-here" }, auth: { token: "token-of-here" } },
    also: ({ world }) => {
      const away = world.seen.filter(({ place }) => place === "away");
      assert.ok(away.length > 1, "the redirects were followed");
      assert.ok(away.every(({ body, method }) => method === "POST" && body.startsWith("{")));
      assert.ok(
        world.seen.some(
          ({ place, headers }) => place === "here" && headers.authorization !== undefined,
        ),
      );
      assert.doesNotMatch(JSON.stringify(away), /key-of-here|token-of-here/);
    },
  },
  "redirect-loop": { connect: fails("http", "maxRedirects (5)") },
  "redirect-nowhere": { connect: fails("http", "307 comes without a Location") },
  "cut-body": { call: fails("http", "broke off inside the response") },
  "no-response": { call: fails("unreachable", "closed the connection", "ECONNRESET") },
  hang: { call: fails("timeout", "no reply within"), options: { timeoutMs: 300 } },
  "hang-at-first": {
    connect: fails("silent", "the server has not replied within"),
    options: { startTimeoutMs: 400, probeTimeoutMs: 100 },
  },
  unauthorized: {
    connect: fails(
      "unauthorized",
      "401",
      'scope "tools:read"',
      "resource_metadata",
      "invalid_token",
    ),
  },
  "unauthorized-mute": { connect: fails("unauthorized", "401", "does not say what it wants") },
  "bad-host": { connect: fails("unauthorized", "403 Forbidden", "Invalid Host header") },
  "echoes-secrets": {
    target: { headers: { "x-api-key": "key-of-here" }, auth: { token: "token-of-here" } },
    connect: fails("http", "500", "[redacted]"),
  },
  "echoes-secrets-in-errors": {
    target: { headers: { "x-api-key": "key-of-here" }, auth: { token: "token-of-here" } },
    call: fails("server-error", "not [redacted]"),
  },
  "echoes-secrets-in-junk": {
    target: { headers: { "x-api-key": "key-of-here" }, auth: { token: "token-of-here" } },
    call: fails("protocol", "its reply is faulty"),
    also: (_, client) => assert.doesNotMatch(JSON.stringify(client.report()), /token-of-here/),
  },
  "get-500": { revision: legacy, reported: "GET brought no event stream" },
  "get-hangs": { revision: legacy },
  "get-stream": {
    revision: legacy,
    also: async ({ world }) => {
      await until(() => world.seen.some(({ headers }) => headers["last-event-id"] === "2"));
    },
  },
  "delete-405": { revision: legacy },
  "notification-answered": { revision: legacy, reported: "a notification was answered with 200" },
  "notification-refused": { revision: legacy },
  "request-accepted": { call: fails("http", "202", "no body") },
  "wrong-id": { call: fails("http", "no reply to this request", "expected one with its id") },
  "error-without-id": { call: fails("server-error", "-32603", "Oh") },
  "not-json": { call: fails("protocol", "its reply is faulty", "the end of the body") },
  pretty: {},
  "not-utf8": { call: fails("protocol", "is not UTF-8") },
  large: [
    { value: 65_000, options: { maxLineBytes: 66_000 } },
    { value: 67_000, options: { maxLineBytes: 66_000 }, call: fails("http", "over 66000 bytes") },
  ],
  sse: {},
  "sse-odd": {},
  "sse-bytes": {},
  "sse-stays-open": {},
  "sse-no-reply": { call: fails("http", "event stream ended without the reply") },
  "sse-cut": { call: fails("http", "broke off") },
  "sse-hangs": {
    call: fails("timeout", "no reply within"),
    options: { timeoutMs: 300 },
    also: ({ world }) => until(() => world.seen.some(({ method }) => method === "CLOSED")),
  },
  "sse-resumed": [
    { value: 3, revision: legacy },
    { value: 1_000, revision: legacy, call: fails("http", "maxIdleResumes (10)") },
  ],
  "old-sse": {
    revision: legacy,
    also: ({ world }) =>
      assert.deepEqual(
        world.seen.slice(0, 4).map(({ method, url }) => `${method} ${url}`),
        ["POST /mcp", "POST /mcp", "GET /mcp", "POST /messages?id=7"],
      ),
  },
  "old-sse-away": { connect: fails("http", "405 Method Not Allowed") },
  "header-parameters": {
    reported: 'the tool "bad" was left out',
    also: async ({ world }, client) => {
      const lists = world.seen.filter(({ message }) => message["method"] === "tools/list").length;
      assert.equal(lists, 1, "asked for once, when the call was refused");
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        ["echo"],
      );
      await client.callTool("echo", { text: "ü" });
      assert.equal(world.seen.at(-1)?.headers["mcp-param-region"], "=?base64?w7w=?=");
    },
  },
  "drops-kept-connections": {
    call: fails("unreachable", "may have acted on the request"),
    also: ({ world }) => {
      const isCall = ({ method, message }: World["seen"][number]): boolean =>
        method === "POST" && message["method"] === "tools/call";
      assert.equal(world.seen.filter(isCall).length, 1, "a tool is not called twice");
    },
  },
};

test("each knob has a row", () => {
  assert.deepEqual(Object.keys(rows).toSorted(), httpKnobs.map(({ name }) => name).toSorted());
});

for (const [name, row] of Object.entries(rows)) {
  for (const each of Array.isArray(row) ? (row as readonly Row[]) : [row as Row]) {
    const shown = each.value === undefined ? name : `${name}=${each.value}`;
    test(`over HTTP, ${shown}`, () => play(name, each));
  }
}

async function play(name: string, row: Row): Promise<void> {
  await using server = await openCrookedHttp(name, row.value);
  const { url, world } = server;
  const connecting = connect({ url, ...row.target }, { timeoutMs: 5_000, ...row.options });
  if (row.connect !== undefined) return await assertFails(connecting, row.connect);
  await using client = await connecting;
  if (row.revision !== undefined) assert.equal(client.revision, row.revision);
  const calling = client.callTool("echo", { text: "hi" });
  if (row.call === undefined) assert.equal((await calling).content.length, 1);
  else await assertFails(calling, row.call);
  await row.also?.(server, client);
  const { reported } = row;
  if (reported !== undefined)
    await until(() => client.report().faults.some(({ detail }) => detail.includes(reported)));
  const report = await client.close();
  assert.equal(report.kind, "connection");
  if (world.seen.some(({ method }) => method === "DELETE"))
    assert.ok(world.seen.at(-1)?.headers["mcp-session-id"] !== undefined);
}

async function assertFails(running: Promise<unknown>, { code, words }: Expected): Promise<void> {
  await assert.rejects(running, (error) => {
    assert.ok(error instanceof ClientError, String(error));
    assert.equal(error.code, code, error.message);
    for (const word of words)
      assert.ok(error.message.includes(word), `"${error.message}" has "${word}"`);
    assert.doesNotMatch(`${error.message}${JSON.stringify(error)}`, /key-of-here|token-of-here/);
    return true;
  });
}

function keepsBodies({ world }: CrookedHttp): void {
  const elsewhere = world.seen.filter(({ url }) => url === "/elsewhere");
  assert.ok(elsewhere.length > 0, "the redirect was followed");
  assert.ok(elsewhere.every(({ method, body }) => method === "POST" && body.startsWith("{")));
}

function opened({ seen }: CrookedHttp["world"]): number {
  return seen.filter(({ message }) => message["method"] === "initialize").length;
}

async function until(isReached: () => boolean): Promise<void> {
  for (let count = 0; count < 500 && !isReached(); count++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(isReached());
}
