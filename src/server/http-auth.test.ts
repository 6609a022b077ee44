import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exportJWK, generateKeyPair, SignJWT, type JSONWebKeySet } from "jose";
import { call, listen, openSession, stateless } from "../../fixtures/http-caller.ts";
import { createSubject } from "../../fixtures/http-subject.ts";
import { serveHttp } from "./index.ts";
import type { HttpService, ServeHttpOptions } from "./index.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const withHeaders = (
  headers: Record<string, string | readonly string[]>,
  sent = stateless("tools/list"),
) => ({ headers: { ...sent.headers, ...headers }, body: sent.body });

describe("bearer tokens", () => {
  const one = "one-token-of-22-letters";
  const two = "two.token~of+22/letters==";
  let http: HttpService;
  before(async () => {
    http = await serveHttp(createSubject().server, { tokens: { list: [one, two] } });
  });
  after(() => http.close());

  test("each of them lets in, whatever the case of Bearer", async () => {
    assert.equal((await call(http.url, withHeaders(bearer(one)))).status, 200);
    assert.equal(
      (await call(http.url, withHeaders({ authorization: `bearer ${two}` }))).status,
      200,
    );
  });

  const refused: readonly (readonly [
    string,
    Record<string, string | readonly string[]>,
    number,
    string,
  ])[] = [
    ["no token", {}, 401, "Bearer"],
    ["another token", bearer("another-token-of-22-letters"), 401, 'error="invalid_token"'],
    ["the beginning of a token", bearer(one.slice(0, -1)), 401, 'error="invalid_token"'],
    ["another scheme", { authorization: `Basic ${one}` }, 400, 'error="invalid_request"'],
    [
      "two tokens",
      { authorization: [`Bearer ${one}`, `Bearer ${two}`] },
      400,
      'error="invalid_request"',
    ],
    ["a token without the scheme", { authorization: one }, 400, 'error="invalid_request"'],
  ];
  for (const [what, headers, status, challenge] of refused)
    test(`${what} is refused, before the body is read`, async () => {
      const answer = await call(http.url, { ...withHeaders(headers), body: "{" });
      assert.equal(answer.status, status);
      const header = answer.headers["www-authenticate"] ?? "";
      assert.ok(header.startsWith("Bearer") && header.includes(challenge), header);
      assert.doesNotMatch(answer.text, /token-of-22/);
    });

  test("a token in the URL is no token", async () => {
    const answer = await call(`${http.url}?access_token=${one}`, stateless("tools/list"));
    assert.equal(answer.status, 401);
  });

  test("a session belongs to the token that opened it", async () => {
    const mine = await openSession(http.url, "2025-11-25", {}, bearer(one));
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    assert.equal((await call(http.url, { headers: mine, body })).status, 200);
    const stolen = { ...mine, ...bearer(two) };
    assert.equal((await call(http.url, { headers: stolen, body })).status, 404);
    assert.equal((await call(http.url, { method: "GET", headers: stolen })).status, 404);
    assert.equal((await call(http.url, { method: "DELETE", headers: stolen })).status, 404);
    assert.equal((await call(http.url, { headers: mine, body })).status, 200);
  });

  test("what one caller was asked, another cannot answer", async () => {
    const capabilities = { elicitation: {} };
    const askedOf = async (token: string, more: object) => {
      const sent = stateless("tools/call", { name: "ask", ...more }, { capabilities });
      return (await call(http.url, withHeaders(bearer(token), sent))).json;
    };
    const { inputRequests, requestState } = (await askedOf(one, {})).result;
    const [key = ""] = Object.keys(inputRequests);
    const answer = { requestState, inputResponses: { [key]: { action: "decline" } } };
    assert.equal((await askedOf(two, answer)).error.code, -32602);
    assert.match((await askedOf(one, answer)).result.content[0].text, /^decline/);
  });

  test("a tool learns who calls, the same for one caller and never the token itself", async () => {
    const { server } = createSubject();
    server.addTool({ name: "who", run: (_, { principal }) => principal });
    await using service = await serveHttp(server, { tokens: { list: [one, two] } });
    const who = async (token: string): Promise<string> => {
      const sent = stateless("tools/call", { name: "who" });
      return (await call(service.url, withHeaders(bearer(token), sent))).json.result.content[0]
        .text;
    };
    assert.equal(await who(one), await who(one));
    assert.notEqual(await who(one), await who(two));
    assert.ok(!(await who(one)).includes(one));
  });

  test("GET and DELETE ask for it as well, a preflight does not", async () => {
    assert.equal((await call(http.url, { method: "GET" })).status, 401);
    assert.equal((await call(http.url, { method: "DELETE" })).status, 401);
    assert.equal(
      (await call(http.url, { method: "OPTIONS", headers: { origin: "http://localhost" } })).status,
      204,
    );
  });
});

describe("where bearer tokens come from", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-tokens-"));
  const file = join(folder, "tokens");
  after(() => rmSync(folder, { recursive: true }));
  const serves = async (tokens: NonNullable<ServeHttpOptions["tokens"]>, token: string) => {
    await using http = await serveHttp(createSubject().server, { tokens });
    return (await call(http.url, withHeaders(bearer(token)))).status;
  };

  test("a file, one a line", async () => {
    writeFileSync(file, "first-token-of-22-letters\n\nsecond-token-of-22-letters\n");
    assert.equal(await serves({ file }, "second-token-of-22-letters"), 200);
  });
  test("an environment variable", async () => {
    process.env["GENKAN_TEST_TOKENS"] = "a-token-of-22-letters-here";
    after(() => delete process.env["GENKAN_TEST_TOKENS"]);
    assert.equal(await serves({ env: "GENKAN_TEST_TOKENS" }, "a-token-of-22-letters-here"), 200);
  });
  for (const [what, tokens, expected] of [
    [
      "a file that is not there",
      { file: join(folder, "none") },
      /Cannot read the bearer tokens of/,
    ],
    [
      "a variable that is not set",
      { env: "GENKAN_NO_TOKENS" },
      /there is none in the variable GENKAN_NO_TOKENS/,
    ],
    [
      "a token of 21 letters",
      { list: ["x".repeat(21)] },
      /number 1 in the list has 21 characters, expected at least 22/,
    ],
    [
      "a token with a space",
      { list: ["x".repeat(22), "a b".padEnd(22, "x")] },
      /number 2 in the list has characters/,
    ],
  ] as const)
    test(`${what} is told`, () =>
      assert.rejects(serveHttp(createSubject().server, { tokens }), expected));
  test("a token of 22 letters is long enough", async () => {
    assert.equal(await serves({ list: ["x".repeat(22)] }, "x".repeat(22)), 200);
  });
});

describe("an OAuth resource server", () => {
  const issuer = "https://login.example.com";
  const resource = "https://mcp.example.com/mcp";
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let others: Awaited<ReturnType<typeof generateKeyPair>>;
  let jwks: JSONWebKeySet;
  let http: HttpService;
  const { server, reports } = createSubject();
  before(async () => {
    keys = await generateKeyPair("ES256");
    others = await generateKeyPair("ES256");
    jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: "1", alg: "ES256" }] };
    http = await serveHttp(server, {
      auth: {
        issuer,
        resource,
        jwks,
        scopes: ["mcp"],
        toolScopes: { steps: ["steps:read"], wait: ["wait:read", "wait:write"] },
        impliedScopes: { admin: ["wait:write", "steps:read"], "wait:write": ["wait:read"] },
        resourceName: "Subject",
      },
    });
  });
  after(() => http.close());

  const sign = (
    claims: Record<string, unknown> = {},
    kid = "1",
    key = keys.privateKey,
    typ?: string,
  ) =>
    new SignJWT({
      iss: issuer,
      aud: resource,
      sub: "aki",
      scope: "mcp",
      exp: Math.floor(Date.now() / 1000) + 60,
      ...claims,
    })
      .setProtectedHeader(typ === undefined ? { alg: "ES256", kid } : { alg: "ES256", kid, typ })
      .sign(key);

  test("lets in a token of its issuer for this resource", async () => {
    assert.equal((await call(http.url, withHeaders(bearer(await sign())))).status, 200);
    const several = bearer(
      await sign({ aud: ["https://other.example", resource], scope: undefined, scp: ["mcp"] }),
    );
    assert.equal((await call(http.url, withHeaders(several))).status, 200);
  });

  test("says where to get a token, and which scope to ask for", async () => {
    const answer = await call(http.url, stateless("tools/list"));
    assert.equal(answer.status, 401);
    assert.equal(
      answer.headers["www-authenticate"],
      'Bearer scope="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    );
  });

  test("serves the metadata document without a token, at both places", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]) {
      const answer = await call(new URL(path, http.url).href, { method: "GET" });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, {
        resource,
        authorization_servers: [issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: ["mcp"],
        resource_name: "Subject",
      });
    }
    const posted = await call(new URL("/.well-known/oauth-protected-resource", http.url).href, {
      body: {},
    });
    assert.equal(posted.status, 405);
  });

  const past = Math.floor(Date.now() / 1000) - 60;
  const unsigned = (claims: object) =>
    [{ alg: "none" }, { iss: issuer, aud: resource, scope: "mcp", exp: past + 3600, ...claims }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".") + ".";
  const bad: readonly (readonly [string, () => Promise<string> | string, RegExp])[] = [
    [
      "for another resource",
      () => sign({ aud: "https://other.example/mcp" }),
      /not for this server/,
    ],
    ["for nobody", () => sign({ aud: undefined }), /not for this server/],
    [
      "of another issuer",
      () => sign({ iss: "https://evil.example" }),
      /not from its authorization server/,
    ],
    ["that has expired", () => sign({ exp: past }), /has expired/],
    ["that never expires", () => sign({ exp: undefined }), /not for this server|not valid/],
    ["that is not valid yet", () => sign({ nbf: past + 3600 }), /not/],
    [
      "signed with another key",
      () => sign({}, "1", others.privateKey),
      /signature that does not fit/,
    ],
    [
      "signed with a key that is not listed",
      () => sign({}, "2", others.privateKey),
      /does not list/,
    ],
    ["without a signature", () => unsigned({}), /not valid/],
    ["that is no JWT", () => "opaque-token", /not valid/],
    ["of nobody", () => sign({ sub: undefined, azp: "app" }), /names neither/],
    ["of somebody without a name", () => sign({ sub: "" }), /names neither/],
    ["of the type logout+jwt", () => sign({}, "1", keys.privateKey, "logout+jwt"), /type/],
    ["of the type ID", () => sign({}, "1", keys.privateKey, "ID"), /type/],
  ];
  for (const [what, token, expected] of bad)
    test(`refuses a token ${what}`, async () => {
      const answer = await call(http.url, withHeaders(bearer(await token())));
      assert.equal(answer.status, 401, answer.text);
      assert.match(answer.json.error.message, expected);
      assert.match(
        answer.headers["www-authenticate"] ?? "",
        /error="invalid_token", .*resource_metadata=/,
      );
    });

  test("refuses a token that is an HMAC of the public key", async () => {
    const secret = new TextEncoder().encode(JSON.stringify(jwks.keys[0]));
    const token = await new SignJWT({ iss: issuer, aud: resource, scope: "mcp" })
      .setProtectedHeader({ alg: "HS256", kid: "1" })
      .setExpirationTime("1m")
      .sign(secret);
    assert.equal((await call(http.url, withHeaders(bearer(token)))).status, 401);
  });

  const callTool = async (name: string, scope: string) => {
    const sent = stateless("tools/call", { name, _meta: { progressToken: 1 } });
    return call(
      http.url,
      withHeaders({ ...bearer(await sign({ scope })), accept: "application/json" }, sent),
    );
  };

  test("refuses a token without the scope that every request needs", async () => {
    const answer = await call(http.url, withHeaders(bearer(await sign({ scope: "other" }))));
    assert.equal(answer.status, 403);
    assert.match(
      answer.headers["www-authenticate"] ?? "",
      /error="insufficient_scope".*scope="mcp"/,
    );
  });

  test("refuses a call without the tool's scope, and names all that it needs", async () => {
    const answer = await callTool("wait", "mcp wait:read");
    assert.equal(answer.status, 403);
    assert.match(answer.json.error.message, /lacks the scope "wait:write"/);
    assert.match(answer.headers["www-authenticate"] ?? "", /scope="wait:read wait:write"/);
    assert.equal(answer.json.error.code, -32600);
    assert.notEqual(answer.json.id, undefined);
  });

  test("lets a call through with the tool's scope, or with one that includes it", async () => {
    assert.equal((await callTool("steps", "mcp steps:read")).status, 200);
    assert.equal((await callTool("steps", "mcp admin")).status, 200);
    assert.equal((await callTool("echo", "mcp")).status, 200);
    assert.equal((await callTool("steps", "mcp")).status, 403);
  });

  test("asks for the scope of every call of a batch, and of a session's calls", async () => {
    const authorization = bearer(await sign());
    const headers = await openSession(http.url, "2025-03-26", {}, authorization);
    const callOf = (id: number, name: string) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name },
    });
    assert.equal(
      (await call(http.url, { headers, body: [callOf(1, "fail"), callOf(2, "steps")] })).status,
      403,
    );
    assert.equal((await call(http.url, { headers, body: callOf(3, "steps") })).status, 403);
    assert.equal((await call(http.url, { headers, body: callOf(4, "fail") })).status, 200);
  });

  test("a session belongs to one person, with whichever of their tokens", async () => {
    const headers = await openSession(http.url, "2025-11-25", {}, bearer(await sign()));
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    const renewed = { ...headers, ...bearer(await sign({ jti: "new" })) };
    assert.equal((await call(http.url, { headers: renewed, body })).status, 200);
    const other = { ...headers, ...bearer(await sign({ sub: "ben" })) };
    assert.equal((await call(http.url, { headers: other, body })).status, 404);
  });

  test("a person and a client of the same name are two", async () => {
    const headers = await openSession(http.url, "2025-11-25", {}, bearer(await sign()));
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    const client = bearer(await sign({ sub: undefined, client_id: "aki" }));
    assert.equal((await call(http.url, { headers: { ...headers, ...client }, body })).status, 404);
  });

  for (const typ of ["JWT", "at+jwt", "application/AT+JWT"])
    test(`takes a token of the type ${typ}`, async () => {
      const token = await sign({}, "1", keys.privateKey, typ);
      assert.equal((await call(http.url, withHeaders(bearer(token)))).status, 200);
    });

  test("a GET stream and a subscription end when their token does", async () => {
    await using quick = await serveHttp(createSubject().server, {
      auth: { issuer, resource, jwks },
      limits: { keepAliveMs: 20 },
    });
    const short = bearer(await sign({ exp: Math.floor(Date.now() / 1000) - 3 })); // 5 s are tolerated
    const long = bearer(await sign());
    const session = await openSession(quick.url, "2025-11-25", {}, long);
    const subscription = stateless("subscriptions/listen", { notifications: {} });
    const open = async (token: typeof long) => [
      await listen(quick.url, { method: "GET", headers: { ...session, ...token } }),
      await listen(quick.url, withHeaders(token, subscription)),
    ];
    const lasting = await open(long);
    const ending = await open(short);
    for (const stream of [...lasting, ...ending]) assert.equal(stream.status, 200);
    await Promise.all(ending.map((stream) => stream.ended));
    for (const stream of lasting) {
      const isOpen = await Promise.race([stream.ended, Promise.resolve("open")]);
      assert.equal(isOpen, "open");
      stream.leave();
    }
  });

  test("fetches the keys from a URL, and answers 503 while they cannot be had", async () => {
    let isUp = false;
    const keyServer = createServer((_, response) => {
      response.writeHead(isUp ? 200 : 500, { "content-type": "application/json" });
      response.end(JSON.stringify(jwks));
    });
    await new Promise<void>((resolve) => keyServer.listen(0, "127.0.0.1", resolve));
    const address = keyServer.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const auth = { issuer, resource, jwks: `http://127.0.0.1:${port}/jwks` };
    await using service = await serveHttp(server, { auth });
    const down = await call(service.url, withHeaders(bearer(await sign())));
    assert.equal(down.status, 503);
    assert.match(reports.join("\n"), /the keys of https:\/\/login\.example\.com cannot be had/);
    isUp = true;
    assert.equal((await call(service.url, withHeaders(bearer(await sign())))).status, 200);
    keyServer.closeAllConnections();
    await new Promise((resolve) => keyServer.close(resolve));
  });

  test("is the URL it is served at, unless told otherwise", async () => {
    await using service = await serveHttp(server, { auth: { issuer, jwks } });
    const answer = await call(
      new URL("/.well-known/oauth-protected-resource/mcp", service.url).href,
      { method: "GET" },
    );
    assert.equal(answer.json.resource, service.url);
    const stream = await listen(
      service.url,
      withHeaders(
        bearer(await sign({ aud: service.url })),
        stateless("subscriptions/listen", { notifications: {} }),
      ),
    );
    assert.equal(stream.status, 200);
    stream.leave();
  });

  test("tells that its URLs are none", async () => {
    for (const auth of [
      { issuer: "login", jwks },
      { issuer, jwks: "keys" },
      { issuer, jwks, resource: "mcp" },
    ])
      await assert.rejects(serveHttp(server, { auth }), /expected https:\/\/…/);
  });
});
