// genkan call and tools with a URL: the same as with a command, and a way in where the server asks who calls.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { openOAuthWorld } from "../../fixtures/oauth/authorization-server.ts";
import { openCrookedHttp } from "../../fixtures/servers/crooked-http.ts";
import { runProgram } from "./program.ts";
import { openScreen } from "./screen.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  words: readonly string[],
  onNote: (text: string) => void = () => {},
): Promise<Ended> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const texts = { stdout: "", stderr: "" };
  streams.stdout.on("data", (piece: Buffer) => (texts.stdout += piece.toString()));
  streams.stderr.on("data", (piece: Buffer) => {
    texts.stderr += piece.toString();
    onNote(piece.toString());
  });
  const code = await runProgram(words, openScreen({ ...streams, environment: {} }));
  await new Promise(setImmediate);
  return { code, ...texts };
}

test("a URL stands for the server, among the words or after --", async () => {
  await using server = await openCrookedHttp();
  const { url, world } = server;
  const text = '{"text":"hü"}';
  const flag = ["--header", "x-tenant: blue"];
  for (const words of [
    ["call", url, "echo", text, ...flag],
    ["call", "echo", text, ...flag, "--", url],
  ])
    assert.deepEqual(await run(words), { code: 0, stdout: "hü\n", stderr: "" });
  assert.ok(world.seen.every(({ headers }) => headers["x-tenant"] === "blue"));
  const listed = await run(["tools", url, "--json"]);
  assert.equal(JSON.parse(listed.stdout).length, 3);
});

test("a server that is not let in by says what it asks for, and how to", async () => {
  await using server = await openCrookedHttp("unauthorized");
  const { code, stderr } = await run(["tools", server.url]);
  assert.equal(code, 2);
  assert.match(stderr, /401 Unauthorized; it asks for bearer .+scope "tools:read"/);
  assert.match(stderr, /hint: --login, or --token-env NAME/);
});

test("a token comes from a variable or a file, and stands in no output", async () => {
  await using server = await openCrookedHttp("echoes-secrets");
  const { url, world } = server;
  const folder = await mkdtemp(join(tmpdir(), "genkan-"));
  process.env["GENKAN_TEST_TOKEN"] = "secret-token";
  try {
    await writeFile(join(folder, "token"), "secret-token\n");
    for (const way of [
      ["--token-env", "GENKAN_TEST_TOKEN"],
      ["--token-file", join(folder, "token")],
    ]) {
      const { stdout, stderr } = await run(["tools", url, "--verbose", ...way]);
      assert.equal(world.seen.at(-1)?.headers.authorization, "Bearer secret-token");
      assert.doesNotMatch(stdout + stderr, /secret-token/);
    }
  } finally {
    delete process.env["GENKAN_TEST_TOKEN"];
    await rm(folder, { recursive: true });
  }
});

test("--login shows the page, keeps the tokens, and asks once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "genkan-"));
  const { XDG_STATE_HOME: before } = process.env;
  process.env["XDG_STATE_HOME"] = folder;
  try {
    await using world = await openOAuthWorld();
    const open = (text: string): void => {
      const page = /^http\S+$/m.exec(text)?.[0];
      if (page !== undefined) void world.browse(page);
    };
    const call = (): Promise<Ended> => run(["call", world.url, "x", "--login"], open);
    assert.equal((await call()).code, 0);
    const again = await call();
    assert.deepEqual(again, { code: 0, stdout: "", stderr: "" });
    for (const secret of world.secrets) assert.ok(!again.stderr.includes(secret));
  } finally {
    if (before === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = before;
    await rm(folder, { recursive: true });
  }
});

for (const [words, expected] of [
  [["tools", "ftp://x"], /it is no URL, expected http:\/\/ or https:\/\//],
  [["tools", "http://x/", "--", "node"], /Cannot connect to two servers/],
  [["call", "http://x/"], /Cannot call nothing: .+\n {2}hint: genkan tools http:\/\/x\/\n/],
  [["call", "a", "{}", "c", "--", "node"], /Cannot read "c": /],
  [["tools", "http://x/", "--header", "x"], /expected "name: value"/],
  [["tools", "http://x/", "--header", "Authorization: Bearer x"], /hint: --token-env NAME/],
  [["tools", "http://x/", "--header", "host: y"], /the client sets it itself/],
  [
    ["tools", "http://x/", "--token-env", "GENKAN_NO_SUCH"],
    /the variable "GENKAN_NO_SUCH" is not set/,
  ],
  [["tools", "http://x/", "--login", "--token-env", "A"], /Cannot log in: two ways/],
  [["tools", "http://u:p@x/"], /holds a user name or password/],
] as const)
  test(`genkan ${words.join(" ")} is a usage error`, async () => {
    const { code, stderr } = await run(words);
    assert.equal(code, 1, stderr);
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /u:p/);
  });
