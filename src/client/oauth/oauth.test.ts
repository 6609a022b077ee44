// The OAuth flows from the first 401 to the call that succeeds, against an authorization server that checks what it is sent.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  openOAuthWorld,
  type OAuthKnobs,
  type OAuthWorld,
} from "../../../fixtures/oauth/authorization-server.ts";
import {
  ClientError,
  connect,
  createFileStore,
  createMemoryStore,
  type Client,
  type InteractiveAuth,
  type TokenStore,
} from "../index.ts";

type Wishes = Partial<InteractiveAuth["interactive"]>;

function open(world: OAuthWorld, wishes: Wishes = {}, store?: TokenStore): Promise<Client> {
  const interactive = { open: world.browse, timeoutMs: 5_000, ...wishes };
  const auth = store === undefined ? { interactive } : { interactive, store };
  return connect({ url: world.url, auth });
}

const authorizations = ({ atIssuer }: OAuthWorld): readonly URLSearchParams[] =>
  atIssuer.filter(({ path }) => path === "/authorize").map(({ query }) => query);
const tokenRequests = ({ atIssuer }: OAuthWorld): readonly URLSearchParams[] =>
  atIssuer.filter(({ path }) => path === "/token").map(({ body }) => new URLSearchParams(body));

/** The error, and all that hangs on it, as someone would log it. */
async function failure(world: OAuthWorld, running: Promise<Client>): Promise<string> {
  const error = await running.then(
    async (client) => {
      await client.close();
      return assert.fail("it was let in");
    },
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ClientError);
  assert.equal(error.code, "unauthorized");
  const all = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of world.secrets)
    assert.ok(!all.includes(secret), "no secret stands in the error");
  return error.message;
}

test("a person is let in: metadata, registration, PKCE, resource, state", async () => {
  await using world = await openOAuthWorld({ challengeScope: "tools:read" });
  await using client = await open(world);
  assert.deepEqual((await client.callTool("x")).content, []);
  const [page] = authorizations(world);
  const [request] = tokenRequests(world);
  assert.equal(page?.get("response_type"), "code");
  assert.equal(page?.get("code_challenge_method"), "S256");
  assert.equal(page?.get("scope"), "tools:read");
  assert.equal(page?.get("resource"), world.url);
  assert.equal(request?.get("resource"), world.url);
  assert.ok((page?.get("state")?.length ?? 0) >= 43);
  assert.match(page?.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const registration = JSON.parse(
    world.atIssuer.find(({ path }) => path === "/register")?.body ?? "{}",
  );
  assert.equal(registration.application_type, "native");
  assert.deepEqual(registration.redirect_uris, [page?.get("redirect_uri")]);
  assert.deepEqual(registration.grant_types, ["authorization_code", "refresh_token"]);
  assert.ok(
    world.atServer.every(({ query }) => !query.toString().includes("token")),
    "no token stands in a URL",
  );
  assert.ok(
    world.atServer
      .slice(-1)
      .every(({ headers }) => headers.authorization?.startsWith("Bearer access-") === true),
  );
});

const places: readonly OAuthKnobs[] = [
  { resourceMetadata: "named" },
  { resourceMetadata: "path" },
  { resourceMetadata: "root" },
  { serverMetadata: "openid" },
  { serverMetadata: "oauth", tenant: "/tenant1" },
  { serverMetadata: "openid", tenant: "/tenant1" },
  { serverMetadata: "openid appended", tenant: "/tenant1" },
];
for (const knobs of places)
  test(`metadata is found with ${JSON.stringify(knobs)}`, async () => {
    await using world = await openOAuthWorld(knobs);
    await using client = await open(world);
    await client.callTool("x");
    const asked = [...world.atServer, ...world.atIssuer]
      .map(({ path }) => path)
      .find((path) => path.includes("well-known"));
    if (knobs.tenant !== undefined)
      assert.equal(
        asked,
        "/.well-known/oauth-authorization-server/tenant1",
        "the order of the specification",
      );
    if (knobs.resourceMetadata === "root")
      assert.equal(asked, "/.well-known/oauth-protected-resource/mcp");
  });

const refusals: readonly (readonly [what: string, knobs: OAuthKnobs, words: string])[] = [
  [
    "metadata of another issuer",
    { serverMembers: { issuer: "https://honest.example" } },
    "names the issuer",
  ],
  [
    "metadata of another resource",
    { resourceMembers: { resource: "https://other.example/mcp" } },
    "the resource metadata is for",
  ],
  [
    "metadata of a path beside",
    { resourceMetadata: "path", resourceMembers: { resource: "http://127.0.0.1:1/mc" } },
    "the resource metadata is for",
  ],
  [
    "no authorization server",
    { resourceMembers: { authorization_servers: [] } },
    "expected at least one",
  ],
  ["no metadata at all", { serverMetadata: "none" }, "has no metadata"],
  ["no PKCE", { serverMembers: { code_challenge_methods_supported: undefined } }, "PKCE"],
  ["plain PKCE", { serverMembers: { code_challenge_methods_supported: ["plain"] } }, "PKCE"],
  [
    "a token endpoint without TLS",
    { serverMembers: { token_endpoint: "http://example.com/token" } },
    "expected an https: URL",
  ],
  [
    "no registration",
    { serverMembers: { registration_endpoint: undefined } },
    "registers no clients",
  ],
  ["a registration that is refused", { refusesRegistration: true }, "no loopback here"],
  [
    "a wrong iss",
    { answer: (parameters) => parameters.set("iss", "https://evil.example") },
    "another authorization server",
  ],
  [
    "an iss that differs by a slash",
    { answer: (parameters, issuer) => parameters.set("iss", `${issuer}/`) },
    "another authorization server",
  ],
  [
    "a promised iss that is missing",
    { serverMembers: { authorization_response_iss_parameter_supported: true } },
    'without "iss"',
  ],
  ["an error", { answer: denied }, "access_denied: not today"],
  ["no code", { answer: (parameters) => parameters.delete("code") }, "without a code"],
  ["a token that is refused", { refusesTokens: true }, "maxAuthorizations (3)"],
  [
    "a token of another type",
    { refuses: () => ({ error: "invalid_client", error_description: "go away" }) },
    "invalid_client: go away",
  ],
];
function denied(parameters: URLSearchParams): void {
  parameters.delete("code");
  parameters.set("error", "access_denied");
  parameters.set("error_description", "not today");
}
for (const [what, knobs, words] of refusals)
  test(`nobody is let in with ${what}`, async () => {
    await using world = await openOAuthWorld(knobs);
    const message = await failure(world, open(world));
    assert.ok(message.includes(words), message);
  });

test("a mixed-up answer is neither used nor shown", async () => {
  await using world = await openOAuthWorld({
    answer: (parameters) => {
      denied(parameters);
      parameters.set("error_description", "call 555-1234");
      parameters.set("iss", "https://evil.example");
    },
  });
  assert.doesNotMatch(await failure(world, open(world)), /555-1234|access_denied|evil/);
  assert.equal(tokenRequests(world).length, 0, "no code went anywhere");
});

test("an answer with a foreign state is passed over, and the right one taken", async () => {
  await using world = await openOAuthWorld();
  const visit = async (page: string): Promise<void> => {
    const back = new URL(page).searchParams.get("redirect_uri") ?? "";
    for (const query of ["?code=evil&state=guess", "?code=evil", ""])
      assert.equal((await fetch(back + query)).status, 404);
    await world.browse(page);
  };
  await using client = await connect({ url: world.url, auth: { interactive: { open: visit } } });
  await client.callTool("x");
  assert.doesNotMatch(tokenRequests(world).join(), /evil/);
});

test("a person who does not come back is not waited for without end", async () => {
  await using world = await openOAuthWorld();
  const message = await failure(world, open(world, { open: () => {}, timeoutMs: 50 }));
  assert.match(message, /nobody came back from the browser within 50 ms/);
});

test("a metadata document's URL is the client id where the server takes one", async () => {
  const clientIdMetadataUrl = "https://client.example/client.json";
  await using world = await openOAuthWorld({
    serverMembers: { client_id_metadata_document_supported: true },
  });
  await using client = await open(world, { clientIdMetadataUrl });
  await client.callTool("x");
  assert.equal(authorizations(world)[0]?.get("client_id"), clientIdMetadataUrl);
  assert.ok(!world.atIssuer.some(({ path }) => path === "/register"));
});

test("a client id known beforehand comes before all others, and binds to its issuer", async () => {
  await using world = await openOAuthWorld({
    serverMembers: { client_id_metadata_document_supported: true },
  });
  const wishes = { clientId: "known", clientIdMetadataUrl: "https://client.example/client.json" };
  await using client = await open(world, { ...wishes, issuer: world.issuer });
  await client.callTool("x");
  assert.equal(authorizations(world)[0]?.get("client_id"), "known");
  assert.match(
    await failure(world, open(world, { ...wishes, issuer: "https://other.example" })),
    /which knows this client/,
  );
});

test("scopes: the challenge's, else all the resource names, else none; offline_access where there is one", async () => {
  const asked = async (knobs: OAuthKnobs): Promise<string | null | undefined> => {
    await using world = await openOAuthWorld(knobs);
    await using client = await open(world);
    await client.callTool("x");
    return authorizations(world)[0]?.get("scope");
  };
  const resourceMembers = { scopes_supported: ["a", "b"] };
  assert.equal(await asked({ challengeScope: "c", resourceMembers }), "c");
  assert.equal(await asked({ resourceMembers }), "a b");
  assert.equal(await asked({}), null);
  assert.equal(
    await asked({ resourceMembers, serverMembers: { scopes_supported: ["offline_access"] } }),
    "a b offline_access",
  );
});

test("more scopes are asked for on 403, beside those there were, and the call is made again", async () => {
  await using world = await openOAuthWorld({
    challengeScope: "read",
    toolScopes: ["write", "delete"],
  });
  await using client = await open(world);
  await client.callTool("x");
  assert.deepEqual(
    authorizations(world).map((page) => page.get("scope")),
    ["read", "read write", "read write delete"],
  );
});

test("a step up that does not help ends as a refusal", async () => {
  await using world = await openOAuthWorld({
    challengeScope: "read",
    toolScopes: ["write"],
    grants: () => "read",
  });
  await using client = await open(world);
  await assert.rejects(
    client.callTool("x"),
    /Cannot call "tools\/call x": the server refused with 403.*scope "write".*"read write" were asked for already/,
  );
  assert.equal(authorizations(world).length, 2);
  await assert.rejects(client.callTool("x"), /asked for already/);
  assert.equal(authorizations(world).length, 2, "the person is not asked again");
});

test("a token that is over is refreshed before it is sent, and the new refresh token kept", async () => {
  await using world = await openOAuthWorld({ expiresIn: 1 });
  await using client = await open(world);
  await client.callTool("x");
  await client.callTool("x");
  const grants = tokenRequests(world).map((form) => form.get("grant_type"));
  assert.deepEqual(grants.slice(0, 3), ["authorization_code", "refresh_token", "refresh_token"]);
  const refreshes = tokenRequests(world)
    .slice(1)
    .map((form) => form.get("refresh_token"));
  assert.equal(new Set(refreshes).size, refreshes.length, "each is used once");
  assert.ok(tokenRequests(world).every((form) => form.get("resource") === world.url));
});

test("a withdrawn token is refreshed once for many calls at once", async () => {
  await using world = await openOAuthWorld();
  await using client = await open(world);
  world.revoke();
  await Promise.all(Array.from({ length: 20 }, () => client.callTool("x")));
  assert.equal(
    tokenRequests(world).filter((form) => form.get("grant_type") === "refresh_token").length,
    1,
  );
  assert.equal(authorizations(world).length, 1);
});

test("a refresh token that is refused leads back to the person", async () => {
  await using world = await openOAuthWorld({
    refuses: (form) =>
      form.get("grant_type") === "refresh_token" ? { error: "invalid_grant" } : undefined,
  });
  await using client = await open(world);
  world.revoke();
  await client.callTool("x");
  assert.equal(authorizations(world).length, 2);
});

test("a kept grant is used again, in a file that only its owner may read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "genkan-"));
  const path = join(folder, "state", "tokens.json");
  try {
    await using world = await openOAuthWorld();
    for (let count = 0; count < 2; count++) {
      await using client = await open(world, {}, createFileStore(path));
      await client.callTool("x");
    }
    assert.equal(authorizations(world).length, 1);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(await readFile(path, "utf8"), /access-/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a grant of one authorization server is not shown to another", async () => {
  const store = createMemoryStore();
  await using first = await openOAuthWorld();
  await using second = await openOAuthWorld();
  await using before = await open(first, {}, store);
  await before.callTool("x");
  await using after = await open(second, {}, store);
  await after.callTool("x");
  const sent = JSON.stringify([...second.atServer, ...second.atIssuer]);
  for (const secret of first.secrets) assert.ok(!sent.includes(secret));
});

test("a program is let in by its secret, which goes to its own issuer alone", async () => {
  await using world = await openOAuthWorld({
    serverMembers: { token_endpoint_auth_methods_supported: undefined },
  });
  const clientCredentials = { clientId: "robot", clientSecret: "robot-secret" };
  const { url, issuer } = world;
  await using client = await connect({
    url,
    auth: { clientCredentials: { ...clientCredentials, issuer } },
  });
  await client.callTool("x");
  assert.deepEqual(
    tokenRequests(world).map((form) => form.get("grant_type")),
    ["client_credentials"],
  );
  assert.equal(tokenRequests(world)[0]?.get("resource"), url);
  await assert.rejects(
    connect({ url, auth: { clientCredentials } }),
    /Cannot authorize by "clientSecret": it stands alone, expected/,
  );
  const elsewhere = {
    clientCredentials: { ...clientCredentials, issuer: "https://other.example" },
  };
  assert.match(
    await failure(world, connect({ url, auth: elsewhere })),
    /expected https:\/\/other\.example/,
  );
});

test("a program's wrong secret is not repeated in the error", async () => {
  await using world = await openOAuthWorld();
  world.secrets.add("wrong-secret").add(btoa("robot:wrong-secret"));
  const clientCredentials = {
    clientId: "robot",
    clientSecret: "wrong-secret",
    issuer: world.issuer,
  };
  assert.match(
    await failure(world, connect({ url: world.url, auth: { clientCredentials } })),
    /invalid_client/,
  );
});

test("a program is let in by its key", async () => {
  await using world = await openOAuthWorld();
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const bytes = Buffer.from(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const pem = `-----BEGIN PRIVATE KEY-----\n${bytes.toString("base64")}\n-----END PRIVATE KEY-----\n`;
  const clientCredentials = { clientId: "robot", privateKey: { pem, algorithm: "ES256" as const } };
  await using client = await connect({ url: world.url, auth: { clientCredentials } });
  await client.callTool("x");
  const jwt = tokenRequests(world)[0]?.get("client_assertion") ?? "";
  const [header = "", claims = "", signature = ""] = jwt.split(".");
  const signed = new TextEncoder().encode(`${header}.${claims}`);
  assert.ok(
    await crypto.subtle.verify(
      { name: "ECDSA", hash: "SHA-256" },
      pair.publicKey,
      Buffer.from(signature, "base64url"),
      signed,
    ),
  );
  const { aud, iss, exp, iat } = JSON.parse(Buffer.from(claims, "base64url").toString());
  assert.deepEqual([aud, iss, exp - iat], [world.issuer, "robot", 60]);
});

test("a server of 2025-03-26 without any metadata is asked at its default places", async () => {
  await using world = await openOAuthWorld({ resourceMetadata: "none", serverMetadata: "none" });
  const message = await failure(world, open(world));
  assert.match(message, /did not register this client \(404\)/);
  const paths = new Set(world.atServer.map(({ path }) => path));
  assert.ok(paths.has("/.well-known/oauth-authorization-server") && paths.has("/register"));
});

test("tokens go over https alone, but on this machine", async () => {
  const auth = { interactive: { open: () => {} } };
  await assert.rejects(
    connect({ url: "http://example.com/mcp", auth }),
    /tokens would go unencrypted, expected https/,
  );
});
