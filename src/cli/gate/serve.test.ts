// `genkan serve` as hosts start it: over stdio and HTTP, and the ways in which it does not start.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { finish, genkan, genkanWords, startGenkan } from "../../../fixtures/command-line.ts";
import { exampleTools, openHouse, serveHouse } from "../../../fixtures/gated-house.ts";
import { connect } from "../../index.ts";

describe("serve", () => {
  test("over HTTP it takes callers with a token alone, and ends with 0 when told to", async () => {
    const token = "a-token-of-22-characters-or-more";
    await using house = openHouse();
    writeFileSync(join(house.folder, "tokens"), token);
    writeFileSync(
      house.file,
      `${readFileSync(house.file, "utf8")}http: { path: /shop }\nprincipals: { alice: { token: { file: tokens }, limits: { taskCalls: 1 } } }\n`,
    );
    const child = startGenkan({ words: ["serve", house.file, "--http", "127.0.0.1:0"] });
    const ended = once(child, "close");
    const lines = createInterface({ input: child.stderr });
    const [value]: unknown[] = await once(lines, "line");
    const url = /http:\S+/.exec(String(value))?.[0] ?? assert.fail(String(value));
    assert.match(url, /\/shop$/);
    await assert.rejects(connect({ url }), /401/);
    {
      await using client = await connect({ url, headers: { authorization: `Bearer ${token}` } });
      const { structuredContent } = await client.callTool("find_orders", {
        customer: "a",
        limit: 1,
      });
      assert.partialDeepStrictEqual(structuredContent, { ok: true, data: { count: 1 } });
    }
    const traced = await genkan("trace", "--json", "--config", house.file);
    assert.equal(JSON.parse(traced.stdout).principal, "alice");
    child.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
  });

  test("--print-config prints an entry that starts it, wherever that is, and starts nothing itself", async () => {
    await using house = openHouse();
    writeFileSync(
      house.file,
      `${readFileSync(house.file, "utf8").replace(/^name: .*/m, "name: Shop 茶_1")}secrets: { key: { env: SHOP_KEY } }\n`,
    );
    const place = relative(process.cwd(), house.file);
    const { code, stdout, stderr } = await genkan("serve", place, "--print-config", "vscode");
    assert.equal(code, 0, stderr);
    const { command, args } = JSON.parse(stdout).servers["Shop-1"];
    assert.deepEqual([command, ...args], genkanWords(["serve", house.file]));
    assert.match(stderr, /^This is for VS Code: .+\n.+ the host has to give it: SHOP_KEY\.\n$/);
    const http = await genkan("serve", place, "--http", "localhost:0", "--print-config", "vscode");
    assert.deepEqual([http.code, http.stdout], [1, ""]);
  });

  test("what a module prints goes to stderr: stdout belongs to the protocol", async () => {
    const text =
      'console.log("hello"); export * from "./tools.ts"; setTimeout(() => console.log("late"), 1);';
    await using house = openHouse(
      { "loud.mjs": text.replace("./tools.ts", pathToFileURL(exampleTools).href) },
      "loud.mjs",
    );
    await using server = await serveHouse(house.file);
    assert.equal((await server.call("find_orders", { customer: "a", limit: 1 })).ok, true);
    assert.match(server.stderr(), /so "hello\\n" went to stderr instead/);
  });

  /** Ways not to start, each with its exit code and what stderr says; stdin stays open, stdout empty. */
  const failures: readonly (readonly [
    what: string,
    words: readonly string[],
    code: number,
    stderr: RegExp,
  ])[] = [
    [
      "a misspelt key",
      ["bad.yaml"],
      1,
      /^\S+bad\.yaml:1:1: Cannot use "nmae": there is no such key, did you mean "name"\?$/m,
    ],
    [
      "a state that is no state",
      ["broken.yaml"],
      6,
      /^Cannot open the state ".+": it is no SQLite file\n {2}hint: /,
    ],
    [
      "an address for all without tokens",
      ["genkan.yaml", "--http", "0.0.0.0:0"],
      1,
      /^Cannot serve "shop" at 0\.0\.0\.0: .+, expected a principal with a token\n {2}hint: principals: /,
    ],
    [
      "what is no address",
      ["genkan.yaml", "--http", "localhost"],
      1,
      /^Cannot serve at "localhost": it is no address, expected host:port\n/,
    ],
  ];
  for (const [what, [name = "", ...rest], code, stderr] of failures) {
    test(`${what} ends with ${code}`, async () => {
      await using house = openHouse({ "bad.yaml": "nmae: a\n" });
      writeFileSync(
        join(house.folder, "broken.yaml"),
        readFileSync(house.file, "utf8").replace("state: .genkan", "state: broken"),
      );
      mkdirSync(join(house.folder, "broken"));
      writeFileSync(join(house.folder, "broken", "state.db"), "no database ".repeat(100));
      const [command = "", ...args] = genkanWords(["serve", join(house.folder, name), ...rest]);
      const child = spawn(command, args, {
        env: { ...process.env, FORCE_COLOR: undefined, NODE_TEST_CONTEXT: undefined },
      });
      const ending = await finish(child);
      child.stdin.end();
      assert.deepEqual([ending.code, ending.stdout], [code, ""], ending.stderr);
      assert.match(ending.stderr, stderr);
    });
  }
});

test("whoever only imports genkan reads neither yaml nor the gate", async () => {
  const entry = new URL("../../index.ts", import.meta.url).href;
  const script = `
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
    await import(${JSON.stringify(entry)});`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const { code, stdout } = await finish(child);
  assert.equal(code, 0);
  assert.match(stdout, /\/src\/server\/index\.ts$/m);
  assert.doesNotMatch(stdout, /\/yaml\/|\/src\/(?:gate|config|cli)\//);
});

test("what a module leaves open does not keep a command from ending", async () => {
  const text = `setInterval(() => {}, 1000); export * from ${JSON.stringify(pathToFileURL(exampleTools).href)};`;
  await using house = openHouse({ "open.mjs": text }, "open.mjs");
  const { code, stderr } = await genkan("check", house.file);
  assert.deepEqual([code, stderr], [0, ""]);
});
