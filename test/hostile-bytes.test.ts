// Hostile bytes against a real server process: whatever comes, the server answers tools/list afterwards, and ends with code 0.

import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as fastCheck from "fast-check";
import { RawChild, type Line } from "../fixtures/servers/raw-child.ts";

const mebibyte = 1024 * 1024;
const call = (id: unknown, name: string, args: object = {}): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

/** Bytes, and the codes of the errors with which they are answered; `undefined` where the number of faulty lines is not known. */
const attacks: Readonly<
  Record<string, readonly [bytes: string | Uint8Array, codes: readonly number[] | undefined]>
> = {
  "truncated JSON": ['{"jsonrpc":"2.0","id":1,"method":"tools/li\n', [-32700]],
  "100 000 nested arrays": [`${"[".repeat(100_000)}${"]".repeat(100_000)}\n`, [-32600]],
  "100 000 arrays that never end": [`${"[".repeat(100_000)}\n`, [-32700]],
  "100 000 nested arrays as an argument": [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo-any","arguments":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}}\n`,
    canWriteDeep() ? [] : [-32603],
  ],
  "100 000 nested objects": [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}\n`, [-32600]],
  "a __proto__ that claims to be a message": [
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}\n',
    [-32600],
  ],
  "a __proto__ in params": [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"echo"}}}\n',
    [-32602],
  ],
  "a __proto__ in arguments": [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"text":"x"}}}}\n',
    [-32602],
  ],
  "another line of 16 MiB": [`${" ".repeat(16 * mebibyte)}\n`, []],
  "a line over 16 MiB": [`${"x".repeat(16 * mebibyte + 1)}\n`, [-32600]],
  "a request over 16 MiB": [
    `${JSON.stringify(call(1, "echo", { text: "x".repeat(16 * mebibyte) }))}\n`,
    [-32600],
  ],
  "half a character": [
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"'),
      Buffer.from("é").subarray(0, 1),
      Buffer.from('"}}\n'),
    ]),
    [-32700],
  ],
  "a byte order mark": ['\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}\n', []],
  "a NUL": ['\u0000{"jsonrpc":"2.0","id":1,"method":"ping"}\n', [-32700]],
  "the framing of LSP": [
    'Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    [-32700],
  ],
  "two messages on a line": [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    [-32700],
  ],
  "blank lines": ["\n\n \n\t\r\n", []],
  "an id beyond 2^53-1": ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n', [-32600]],
  "an id beyond any number": ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}\n', [-32600]],
  "ids of the other JSON types": [
    ["null", "true", "[1]", '{"a":1}', "1.5"]
      .map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
      .join(""),
    [-32600, -32600, -32600, -32600, -32600],
  ],
  "a tool that throws": [`${JSON.stringify(call(1, "throw"))}\n`, [-32603]],
  "random bytes": [
    Buffer.concat(
      fastCheck
        .sample(fastCheck.uint8Array({ minLength: 1, maxLength: 400 }), { numRuns: 500, seed: 7 })
        .concat(Buffer.from("\n")),
    ),
    undefined,
  ],
};

test("after each attack the same server answers tools/list, and its memory stays bounded", async () => {
  await using child = new RawChild();
  await child.openSession();
  let round = 0;
  for (const [what, [bytes, codes]] of Object.entries(attacks)) {
    const id = `after-${++round}`;
    await child.write(bytes);
    await child.say({ jsonrpc: "2.0", id, method: "tools/list" });
    const lines = await child.upTo(id);
    const errors = lines.filter(({ error }) => error !== undefined);
    if (codes !== undefined)
      assert.deepEqual(
        errors.map(({ error }) => error.code),
        codes,
        what,
      );
    assert.ok(lines.at(-1)?.result.tools.length > 0, what);
    assert.ok(!JSON.stringify(errors).includes("secret"), what);
  }
  await child.say(call("rss", "memory"));
  const resident = Number((await child.upTo("rss")).at(-1)?.result.content[0].text);
  assert.ok(resident < 512 * mebibyte, `${resident} bytes are resident`);
  assert.deepEqual(await child.end(), { code: 0, signal: null, lines: [] });
});

test("duplicate keys are read as JSON readers do, the last one", async () => {
  await using child = new RawChild();
  await child.write('{"jsonrpc":"2.0","id":1,"id":2,"method":"nothing","method":"ping"}\n');
  assert.deepEqual(await child.next(), { jsonrpc: "2.0", id: 2, result: {} });
  assert.equal((await child.end()).code, 0);
});

test("a character cut by the boundary of two writes is whole again", async () => {
  await using child = new RawChild();
  await child.openSession();
  const line = Buffer.from(`${JSON.stringify(call(1, "echo", { text: "é\u{1F600}" }))}\n`);
  for (const byte of line) {
    await child.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  assert.equal((await child.upTo(1)).at(-1)?.result.content[0].text, "é\u{1F600}");
  assert.equal((await child.end()).code, 0);
});

test("10 000 requests whose replies nobody reads at first are all answered, once each", async () => {
  await using child = new RawChild();
  await child.openSession();
  child.process.stdout.pause();
  const text = "x".repeat(1000);
  let isTaken = false;
  const said = (async () => {
    for (let id = 0; id < 10_000; id += 100)
      await child.say(
        ...Array.from({ length: 100 }, (_, index) => call(id + index, "echo", { text })),
      );
    isTaken = true;
  })();
  await sleep(100); // a server without a limit has time enough to take it all
  assert.equal(isTaken, false, "a server that reads on without writing would have to keep it all");
  child.process.stdout.resume();
  const ids = new Set<number>();
  while (ids.size < 10_000) {
    const { id, result } = await child.next();
    assert.equal(result.content[0].text, text);
    assert.ok(!ids.has(id));
    ids.add(id);
  }
  await said;
  assert.deepEqual(await child.end(), { code: 0, signal: null, lines: [] });
});

describe("the process ends with code 0", { concurrency: 2 }, () => {
  test("when the client closes its reading side", async () => {
    await using child = new RawChild("50");
    await child.openSession();
    child.process.stdout.destroy();
    const exited = once(child.process, "exit");
    const say = (): void => {
      child.say(call(1, "echo", { text: "x" })).catch(() => {}); // it may be gone by then, which is what is waited for
    };
    const timer = setInterval(say, 5);
    const [code] = await exited;
    clearInterval(timer);
    assert.equal(code, 0);
  });

  test("when nobody reads its stderr, whatever it has to say there", async () => {
    await using child = new RawChild();
    child.process.stderr.destroy();
    await child.openSession();
    for (let id = 0; id < 20; id++) {
      await child.say(call(id, "throw"));
      assert.equal((await child.upTo(id)).at(-1)?.error.code, -32603);
    }
    assert.equal((await child.end()).code, 0);
  });

  test("after it has answered what is in flight", async () => {
    await using child = new RawChild();
    await child.openSession();
    await child.say(call(1, "slow", { ms: 50 }), call(2, "echo", { text: "x" }));
    const { code, lines } = await child.end();
    assert.equal(code, 0);
    assert.deepEqual(
      lines.map(({ id, result }: Line) => [id, result.content[0].text]),
      [
        [2, "x"],
        [1, "slept"],
      ],
    );
  });

  test("at drainMs when a call does not finish", async () => {
    await using child = new RawChild("20");
    await child.openSession();
    await child.say(call(1, "slow", { ms: 2 ** 30 }));
    assert.deepEqual(await child.end(), { code: 0, signal: null, lines: [] });
  });

  test("when stdin ends in the middle of a message, and at once", async () => {
    await using child = new RawChild();
    await child.write('{"jsonrpc":"2.0","id":1,"method":"pi');
    const { code, lines } = await child.end();
    assert.equal(code, 0);
    assert.deepEqual(
      lines.map(({ error }: Line) => error.code),
      [-32700],
    );
    await using silent = new RawChild();
    assert.deepEqual(await silent.end(), { code: 0, signal: null, lines: [] });
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`at ${signal}, after it has ended its streams`, async () => {
      await using child = new RawChild();
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      await child.say({
        jsonrpc: "2.0",
        id: 1,
        method: "subscriptions/listen",
        params: { _meta, notifications: { toolsListChanged: true } },
      });
      assert.equal((await child.next())?.method, "notifications/subscriptions/acknowledged");
      child.process.kill(signal);
      const { code, lines } = await child.ended();
      assert.equal(code, 0);
      assert.deepEqual(
        lines.map(({ id, result }: Line) => [id, result.resultType]),
        [[1, "complete"]],
      );
    });
  }

  test("though a tool printed to stdout and left a promise to reject", async () => {
    await using child = new RawChild();
    await child.openSession();
    await child.say(call(1, "print"), call(2, "echo", { text: "x" }));
    await child.upTo(2);
    const { code, lines } = await child.end();
    assert.equal(code, 0);
    assert.deepEqual(lines, []);
    assert.match(child.stderr, /stray/);
    assert.match(child.stderr, /outside of any call/);
  });
});

/** Whether this V8 writes 100 000 nested arrays, or runs out of stack. */
function canWriteDeep(): boolean {
  try {
    return JSON.stringify(JSON.parse("[".repeat(100_000) + "]".repeat(100_000))).length > 0;
  } catch {
    return false; // a RangeError
  }
}
