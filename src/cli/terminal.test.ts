// What a person at a terminal sees: colour and a spinner, which no pipe ever gets.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  crookedBy,
  finish,
  genkan,
  genkanWords,
  shop,
  startCommand,
  startGenkan,
} from "../../fixtures/command-line.ts";
import { openHouse } from "../../fixtures/gated-house.ts";
import { createSample } from "../aio/index.ts";
import { stripVTControlCharacters } from "node:util";

/** `script` of util-linux gives a program a terminal of its own. */
const hasScript =
  existsSync("/proc") && spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

/** What the spinner sends before each frame, and when it goes. */
const wipe = "\r\u001B[K";

describe("a terminal", { concurrency: 4, skip: !hasScript }, () => {
  test("gets colour", async () => {
    const seen = await onTerminal(["tools", "--", ...shop]);
    assert.ok(seen.includes("\u001B[1mcount_orders\u001B[22m"), JSON.stringify(seen));
    assert.match(stripVTControlCharacters(seen), /^ {4}status {2}string {2}optional {2}One of/m);
  });

  test("gets a spinner while it waits, wiped before the result", async () => {
    const seen = await onTerminal([
      "call",
      "echo",
      '{"text":"hi"}',
      "--",
      ...crookedBy("slow-start=700"),
    ]);
    const [before, first, second, ...others] = seen.split(wipe);
    assert.equal(before, "");
    assert.match(first ?? "", /^⠋ starting \S/);
    assert.match(second ?? "", /^⠙ starting \S/);
    assert.ok(
      others.includes("hi\r\n"),
      "the result has a line of its own, also where the end takes a frame more",
    );
  });

  test("gets no colour where NO_COLOR says so", async () => {
    const seen = await onTerminal(["tools", "--", ...shop], { NO_COLOR: "1" });
    assert.equal(seen.replaceAll(wipe, "").includes("\u001B["), false);
  });

  test("gets neither colour nor a spinner where it is dumb", async () => {
    const words = ["call", "echo", '{"text":"hi"}', "--", ...crookedBy("slow-start=700")];
    assert.equal(await onTerminal(words, { TERM: "dumb" }), "hi\r\n");
  });

  test("is told by a server over stdio that a host starts it, and how it is tried", async () => {
    using place = openFolder();
    await createSample(join(place.folder, "a b.db"), { runs: 1, keywords: 1 });
    const aio = await onTerminal(["aio", "--db", join(place.folder, "a b.db")]);
    assert.match(
      aio,
      /^genkan: Serving .+a b\.db over stdio: a host starts this by itself \(--print-config <host>\)\. To try it: genkan call list_runs -- genkan aio --db '.+a b\.db' ; Ctrl-C ends it\.\r$/m,
    );
    await using house = openHouse();
    const served = await onTerminal(["serve", house.file]);
    assert.match(served, /To try it: genkan tools -- genkan serve .+genkan\.yaml ; Ctrl-C/);
  });

  test("gets the control characters of demo --raw shown", async () => {
    const seen = await onTerminal(["demo", "--raw"], { NO_COLOR: "1" });
    assert.match(seen, /^→ \{"jsonrpc":"2\.0","id":1,"method":"server\/discover"/m);
  });
});

test("a pipe gets colour where FORCE_COLOR says so, and no spinner", async () => {
  const words = ["tools", "--", ...shop];
  const { stdout, stderr } = await finish(startGenkan({ words, env: { FORCE_COLOR: "1" } }));
  assert.ok(stdout.includes("\u001B[1mcount_orders\u001B[22m"));
  assert.equal(stderr, "");
});

test("a pipe gets no escape at all", async () => {
  const words = ["call", "slow", '{"ms":400}', "--", ...crookedBy()];
  assert.deepEqual(await genkan(...words), { code: 0, stdout: "400 ms later\n", stderr: "" });
});

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "genkan-terminal-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** Gives what the terminal is sent, stdout and stderr together. */
async function onTerminal(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = genkanWords(words).map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const child = startCommand("script", ["-qec", command.join(" "), "/dev/null"], {
    TERM: "xterm-256color",
    ...env,
  });
  return (await finish(child)).stdout;
}
