import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import type { Envelope } from "./envelope.ts";
import { ToolFailure } from "./failure.ts";
import type { CallFacts } from "./feature.ts";
import { createSecretFeature } from "./secret-feature.ts";
import { Secrets, type SecretDefinition, type SecretsOptions } from "./secrets.ts";

const value = "correct-horse-7";
const facts: CallFacts = {
  traceId: "0".repeat(32),
  principal: "local",
  door: "shop",
  tool: "log_in",
  risk: "write",
  taskId: "t1",
  callId: "c1",
  args: {},
  origin: undefined,
  at: 0,
};
const idle = new AbortController().signal;

function makeFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "genkan-secrets-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function make(definition: SecretDefinition, options: Partial<SecretsOptions> = {}): Secrets {
  return new Secrets({ shop: definition }, { environment: { SHOP: value }, ...options });
}

function command(script: string, ...args: readonly string[]): SecretDefinition {
  return { source: { from: "command", command: [process.execPath, "-e", script, ...args] } };
}

/** What a caller and a log would see of an error, its causes included. */
function shown(thrown: unknown): string {
  return inspect(thrown, { depth: Infinity, showHidden: true });
}

function assertRefused(act: () => unknown, text: RegExp): void {
  assert.throws(act, (thrown) => {
    assert.match(shown(thrown), text);
    assert.ok(!shown(thrown).includes(value));
    return true;
  });
}

describe("Secrets", () => {
  test("gives the value of a variable, and shows it nowhere", () => {
    const secrets = make({ source: { from: "env", variable: "SHOP" } });
    assert.equal(secrets.resolve("secret://shop", facts, idle), value);
    assert.deepEqual(secrets.names, ["shop"]);
    assert.ok(!inspect(secrets, { depth: Infinity, showHidden: true }).includes(value));
    assert.equal(secrets.redactor.redactText(value), "secret://shop");
  });

  test("reads a file that its owner alone may read, without its line end, and reads it again", () => {
    using folder = makeFolder();
    const path = join(folder.path, "shop");
    writeFileSync(path, `${value}\n`, { mode: 0o600 });
    const secrets = make({ source: { from: "file", path } });
    assert.equal(secrets.resolve("secret://shop", facts, idle), value);
    writeFileSync(path, "another-value-8\r\n");
    assert.equal(secrets.resolve("secret://shop", facts, idle), "another-value-8");
    assert.equal(
      secrets.redactor.redactText(`${value} another-value-8`),
      "secret://shop secret://shop",
    );
    rmSync(path);
    assertRefused(
      () => secrets.resolve("secret://shop", facts, idle),
      /ToolFailure: Cannot resolve "secret:\/\/shop": its source does not give it/,
    );
  });

  test("refuses a file that others may use, a folder, and what is not there", () => {
    using folder = makeFolder();
    const path = join(folder.path, "shop");
    writeFileSync(path, value);
    for (const mode of [0o644, 0o640, 0o604, 0o602, 0o610]) {
      chmodSync(path, mode);
      assertRefused(
        () => make({ source: { from: "file", path } }),
        /its mode is 0\d{3}, expected 0600[^]*chmod 600/,
      );
    }
    chmodSync(path, 0o400);
    assert.doesNotThrow(() => make({ source: { from: "file", path } }));
    assertRefused(() => make({ source: { from: "file", path: folder.path } }), /is no file/);
    assertRefused(() => make({ source: { from: "file", path: join(path, "x") } }), /ENOTDIR/);
    const pipe = join(folder.path, "pipe");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    assertRefused(() => make({ source: { from: "file", path: pipe } }), /is no file/); // and does not wait for a writer
    chmodSync(path, 0o600);
    writeFileSync(path, "abcd".repeat(20_000));
    assertRefused(() => make({ source: { from: "file", path } }), /longer than 65536 bytes/);
  });

  test("refuses at the start a value that is too plain, and a variable that is not set", () => {
    const source = { from: "env", variable: "SHOP" } as const;
    const with3 = { environment: { SHOP: "abc" } };
    assertRefused(
      () => make({ source }, with3),
      /UsageError: Cannot use the secret "shop": it has 3 characters, expected at least 8/,
    );
    assertRefused(() => make({ source }, { environment: {} }), /"SHOP" is not set/);
    assert.throws(
      () => new Secrets({ Shop: { source } }, { environment: {} }),
      /its name is not fit/,
    );
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`s${n}`, { source }]));
    assert.throws(
      () => new Secrets(many, { environment: {} }),
      /there are 201, expected at most 200/,
    );
  });

  test("runs a command without a shell, once for two calls, and again when its time is over", async () => {
    using folder = makeFolder();
    const log = join(folder.path, "runs");
    const script = `fs.appendFileSync(process.argv[2], process.argv[1] + ";"); console.log(process.env.SHOP);`;
    let now = 0;
    const secrets = make(command(script, "$(id)|*", log), { now: () => now, commandKeptMs: 100 });
    const [first, second] = await Promise.all([
      secrets.resolve("secret://shop", facts, idle),
      secrets.resolve("secret://shop", facts, idle),
    ]);
    assert.deepEqual([first, second], [value, value]);
    assert.equal(secrets.resolve("secret://shop", facts, idle), value);
    assert.equal(readFileSync(log, "utf8"), "$(id)|*;");
    now = 100;
    assert.equal(await secrets.resolve("secret://shop", facts, idle), value);
    assert.equal(readFileSync(log, "utf8"), "$(id)|*;$(id)|*;");
  });

  test("says how a command ended, and nothing it printed", async () => {
    for (const [script, end] of [
      [
        `console.error(process.env.SHOP); console.log(process.env.SHOP); process.exitCode = 3`,
        /ended with 3/,
      ],
      [`setTimeout(() => {}, 60_000)`, /did not end in time/],
      [`console.log("abc")`, /it has 3 characters/],
      [`console.log("x".repeat(70_000))`, /MAXBUFFER/],
    ] as const) {
      const secrets = make(command(script), { commandTimeoutMs: 300 });
      const result = secrets.resolve("secret://shop", facts, idle);
      await assert.rejects(
        async () => result,
        (thrown) => {
          assert.ok(thrown instanceof ToolFailure);
          assert.equal(
            thrown.message,
            `Cannot resolve "secret://shop": its source does not give it, expected its value`,
          );
          assert.match(shown(thrown), end);
          assert.ok(!shown(thrown).includes(value));
          return thrown.isHarmless;
        },
      );
      await assert.rejects(secrets.load(), end);
    }
    const missing = make({ source: { from: "command", command: ["genkan-no-such-program"] } });
    await assert.rejects(missing.load(), /"genkan-no-such-program" ended with "ENOENT"/);
  });

  test("does not let a stopped call wait for a command", async () => {
    const secrets = make(command(`setTimeout(() => console.log(process.env.SHOP), 200)`));
    const abort = new AbortController();
    const stopped = secrets.resolve("secret://shop", facts, abort.signal);
    const other = secrets.resolve("secret://shop", facts, idle);
    abort.abort(new Error("late"));
    await assert.rejects(async () => stopped, /The call was stopped/);
    assert.equal(await other, value);
  });

  test("gives a secret only to its tools, at its origins, and names no other", () => {
    const secrets = new Secrets(
      {
        shop: {
          source: { from: "env", variable: "SHOP" },
          tools: ["log_in"],
          origins: ["https://shop.example"],
        },
      },
      { environment: { SHOP: value } },
    );
    const here = { ...facts, origin: "https://shop.example" };
    assert.equal(secrets.resolve("secret://shop", here, idle), value);
    for (const [reference, call, why] of [
      ["secret://shop", { ...here, tool: "post" }, /it is not for the tool "post"/],
      ["secret://shop", facts, /it is not for where this call acts/],
      ["secret://shop", { ...here, origin: "https://shop.example.evil" }, /not for where/],
      ["secret://shopx", here, /there is no such secret/],
      [value, here, /no reference/],
      ["secret://SHOP", here, /no reference/],
    ] as const)
      assertRefused(() => secrets.resolve(reference, call, idle), why);
  });
});

describe("createSecretFeature()", () => {
  test("resolves for a tool, and seals every free word of the envelope", () => {
    const secrets = make({ source: { from: "env", variable: "SHOP" } });
    const hooks = createSecretFeature(secrets).open(undefined);
    assert.equal(hooks.resolveSecret?.("secret://shop", facts, idle), value);
    const base64 = Buffer.from(`user:${value}`).toString("base64");
    const envelope: Envelope = {
      ok: false,
      code: "tool_failed",
      retryable: false,
      attempts: 1,
      message: `no ${value}`,
      hint: `try ${encodeURIComponent(value)}`,
      data: { [value]: [`Basic ${base64}`], "correct-horse-8": 1 },
      warnings: [value],
      step: { name: `log in ${value}`, index: 1, of: null },
      replayed: false,
      task_id: value,
      call_id: null,
      trace_id: facts.traceId,
      duration_ms: 1,
    };
    const sealed = hooks.seal?.(envelope, facts);
    const text = JSON.stringify(sealed);
    assert.ok(!text.includes(value) && !text.includes(base64.slice(8, -4)), text);
    assert.deepEqual(sealed, {
      ...envelope,
      message: "no secret://shop",
      hint: "try secret://shop",
      data: { "secret://shop": ["Basic dXNlcjsecret://shop"], "correct-horse-8": 1 },
      warnings: ["secret://shop"],
      step: { name: "log in secret://shop", index: 1, of: null },
      task_id: "secret://shop",
    });
  });

  test("leaves the gate's own words, though a secret may be one of them", () => {
    const secrets = new Secrets(
      { word: { source: { from: "env", variable: "W" } } },
      { environment: { W: "duration_ms" } },
    );
    const envelope = {
      ok: true,
      code: "ok",
      message: "",
      hint: "",
      data: null,
      warnings: [],
      task_id: null,
      call_id: null,
      trace_id: "",
      retryable: false,
      attempts: 1,
      replayed: false,
      duration_ms: 2,
    } as const;
    assert.deepEqual(
      createSecretFeature(secrets).open(undefined).seal?.(envelope, facts),
      envelope,
    );
  });
});
