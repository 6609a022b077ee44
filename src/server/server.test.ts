import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { readAll } from "../../fixtures/read-all.ts";
import * as z from "zod";
import { metaOf, openPeer, openWire, versions, type Line } from "../../fixtures/wire-script.ts";
import { UsageError, type JsonObject } from "../protocol/index.ts";
import { createServer, serve, ToolResult, type Limits, type Server } from "./index.ts";
import { StreamTransport } from "../transport/index.ts";
import { createMemoryPair } from "../transport/memory.ts";

interface Held {
  readonly server: Server;
  /** Lets the calls of `hold` finish, in the order they came. */
  readonly release: (() => void)[];
  readonly aborted: string[];
}

function makeServer(limits: Partial<Limits> = {}): Held {
  const release: (() => void)[] = [];
  const aborted: string[] = [];
  const server = createServer({ name: "s", version: "1", limits }).addTool({
    name: "hold",
    run: async (_args, { signal }) => {
      signal.addEventListener("abort", () => aborted.push(signal.reason.message));
      await new Promise<void>((resolve) => release.push(resolve));
      return "held";
    },
  });
  return { server, release, aborted };
}

describe("limits", () => {
  for (const version of versions) {
    test(`maxInFlight calls run at once and one more is refused, until one is over (${version})`, async () => {
      const { server, release } = makeServer({ maxInFlight: 2 });
      const peer = await openPeer(server, version);
      peer.start("tools/call", { name: "hold" }, 1);
      peer.start("tools/call", { name: "hold" }, 2);
      await peer.rest();
      assert.equal((await peer.request("tools/call", { name: "hold" }, 3)).error.code, -32603);
      release[0]?.();
      assert.equal((await peer.next()).id, 1);
      peer.start("tools/call", { name: "hold" }, 3);
      await peer.rest();
      assert.equal(release.length, 3);
    });

    test(`maxInFlight counts a cancelled call until its code ends, and frees its id at once (${version})`, async () => {
      const { server, release } = makeServer({ maxInFlight: 2 });
      const peer = await openPeer(server, version);
      await peer.rest();
      for (let round = 0; round < 20; round++) {
        peer.start("tools/call", { name: "hold" }, "again");
        await new Promise(setImmediate);
        peer.notify("notifications/cancelled", { requestId: "again" });
      }
      const refusals = await peer.rest();
      assert.equal(release.length, 2);
      assert.equal(refusals.length, 18);
      assert.ok(refusals.every(({ error }) => error.code === -32603));
      for (const finish of release.splice(0)) finish();
      assert.deepEqual(await peer.rest(), []);
      peer.start("tools/call", { name: "hold" }, "again");
      await peer.rest();
      release[0]?.();
      assert.equal((await peer.next()).result.content[0].text, "held");
    });
  }
});

describe("maxInFlightBytes", () => {
  const size = 10_000;
  const request = (id: number, method: string, params: object, bytes: number): string => {
    const make = (junk: string): string =>
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method,
        params: { ...params, _meta: metaOf({}, { junk }) },
      });
    return `${make("x".repeat(bytes - make("").length))}\n`;
  };
  const open = (limits: Partial<Limits>) => {
    const held = makeServer(limits);
    const [input, output] = [new PassThrough(), new PassThrough()];
    void serve(held.server, new StreamTransport({ input, output }));
    const read = async (): Promise<Line[]> => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      return readAll(output)
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    return { ...held, input, read };
  };

  for (const [over, isTaken] of [
    [-1, true],
    [0, true],
    [1, false],
  ] as const) {
    test(`${over} bytes from it, a call is ${isTaken ? "taken" : "refused until there is room"}`, async () => {
      const { input, read, release } = open({ maxInFlightBytes: 3 * size });
      input.write(request(0, "tools/call", { name: "hold" }, 100_000)); // alone: taken whatever its size
      await new Promise((resolve) => setTimeout(resolve, 200)); // its files are being loaded
      await read();
      release.splice(0)[0]?.();
      await read();
      for (const id of [1, 2]) input.write(request(id, "tools/call", { name: "hold" }, size));
      input.write(request(3, "tools/call", { name: "hold" }, size + over));
      const replies = await read();
      assert.equal(release.length, isTaken ? 3 : 2);
      assert.deepEqual(
        replies.map(({ id, error }) => [id, error.code]),
        isTaken ? [] : [[3, -32603]],
      );
      for (const id of [1, 2])
        input.write(
          `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`,
        );
      input.write(request(4, "tools/call", { name: "hold" }, size + 1));
      assert.equal((await read())[0]?.error.code, -32603); // cancelled is not yet over
      for (const finish of release.splice(0)) finish();
      await read();
      input.write(request(5, "tools/call", { name: "hold" }, size + 1));
      await read();
      assert.equal(release.length, 1);
    });
  }

  test("does not count what a listening stream has been opened with", async () => {
    const { input, read } = open({ maxInFlightBytes: size });
    for (let id = 0; id < 5; id++) {
      input.write(request(id, "subscriptions/listen", { notifications: {} }, size));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const heard = await read();
    assert.deepEqual(
      heard.map(({ method }) => method),
      Array.from({ length: 5 }, () => "notifications/subscriptions/acknowledged"),
    );
  });
});

describe("ending a session", () => {
  test("waits for the replies to what is running", async () => {
    const { server, release, aborted } = makeServer();
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", { name: "hold" }, 1);
    await peer.rest();
    const closed = peer.close();
    release[0]?.();
    await closed;
    assert.equal((await peer.next()).result.content[0].text, "held");
    assert.deepEqual(aborted, []);
  });

  test("that is asked for twice waits once", async () => {
    const { server, release } = makeServer({ drainMs: 2 ** 30 });
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", { name: "hold" }, 1);
    await peer.rest();
    const closed = Promise.all([server[Symbol.asyncDispose](), peer.close()]);
    release[0]?.();
    await closed;
  });

  test("cancels at drainMs what does not finish, and sends nothing more of it", async () => {
    const { server, release, aborted } = makeServer({ drainMs: 1 });
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", { name: "hold" }, 1);
    await peer.rest();
    await peer.close();
    assert.deepEqual(aborted, ["The connection is closing"]);
    release[0]?.();
    assert.deepEqual(await peer.rest(), []);
  });

  test("waits for the code of a cancelled call too, which may still use what the closers close", async () => {
    const { server, release } = makeServer({ drainMs: 2 ** 30 });
    const order: string[] = [];
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", { name: "hold" }, 1);
    await peer.rest();
    peer.notify("notifications/cancelled", { requestId: 1 });
    const closed = peer.close().then(() => order.push("closed"));
    await peer.rest();
    order.push("code ends");
    release[0]?.();
    await closed;
    assert.deepEqual(order, ["code ends", "closed"]);
    assert.deepEqual(await peer.rest(), []);
  });

  test("whose calls were all cancelled waits for nothing", async () => {
    const { server } = makeServer({ drainMs: 2 ** 30 });
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", { name: "hold" }, 1);
    await peer.rest();
    peer.session.cancelAll("The session has ended");
    await peer.close();
  });

  test("ends only that session", async () => {
    const { server, release } = makeServer({ drainMs: 1 });
    const [one, other] = [
      await openPeer(server, "2025-11-25"),
      await openPeer(server, "2026-07-28"),
    ];
    one.start("tools/call", { name: "hold" }, 1);
    other.start("tools/call", { name: "hold" }, 1);
    await other.rest();
    await one.close();
    for (const finish of release) finish();
    assert.equal((await other.next()).result.content[0].text, "held");
  });
});

test("disposing runs the closers, the last registered first, once", async () => {
  const order: number[] = [];
  const server = createServer({ name: "s", version: "1" })
    .onClose(() => void order.push(1))
    .onClose(async () => void order.push(2));
  await server[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  assert.deepEqual(order, [2, 1]);
});

test("disposing runs every closer, reports those that throw, and gives each drainMs", async () => {
  const order: number[] = [];
  const reports: string[] = [];
  const server = createServer({
    name: "s",
    version: "1",
    limits: { drainMs: 20 },
    report: (text) => reports.push(text),
  })
    .onClose(() => void order.push(1))
    .onClose(() => {
      throw new Error("thrown");
    })
    .onClose(() => Promise.reject(new Error("rejected")))
    .onClose(() => new Promise(() => {}))
    .onClose(async () => void order.push(2));
  await server[Symbol.asyncDispose]();
  assert.deepEqual(order, [2, 1]);
  assert.deepEqual(
    reports.map((text) => text.split("\n")[0]),
    [
      "onClose: a closer did not end within 20 ms",
      "onClose: a closer failed: Error: rejected",
      "onClose: a closer failed: Error: thrown",
    ],
  );
});

test("serve() answers over a transport until the peer closes", async () => {
  const [here, there] = createMemoryPair();
  const served = serve(createServer({ name: "s", version: "1" }), here);
  there.send({ kind: "request", id: 1, method: "ping", params: undefined });
  for await (const arrivals of there.incoming) {
    assert.deepEqual(arrivals, [{ kind: "result", id: 1, result: {} }]);
    break;
  }
  await there.close();
  await served;
});

test("serve() gives up a peer that reads nothing for stallTimeoutMs, and not one that reads late", async () => {
  const reports: string[] = [];
  const server = createServer({
    name: "s",
    version: "1",
    limits: { stallTimeoutMs: 100 },
    report: (text) => reports.push(text),
  });
  const answer = "x".repeat(2 ** 20);
  server.addTool({ name: "large", run: () => answer });
  for (const isRead of [true, false]) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serve(server, new StreamTransport({ input, output }));
    input.write(
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n',
    );
    for (let id = 1; id <= 5; id++) {
      input.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"large"}}\n`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      if (isRead) readAll(output);
    }
    if (isRead) input.end();
    await served;
    assert.equal(reports.length, isRead ? 0 : 1);
  }
  assert.match(reports[0] ?? "", /has not read what it was sent for 100 ms/);
});

describe("createServer() throws a UsageError for", () => {
  const server = () => createServer({ name: "s", version: "1" });
  const run = (): string => "";
  const cycle = (): JsonObject => {
    const whole: { part?: unknown } = {};
    whole.part = whole;
    return whole;
  };
  const nest = (depth: number): object => (depth === 0 ? {} : { items: nest(depth - 1) });
  const wide = (parts: number) => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: parts }, (_, index) => [`p${index}`, {}])),
  });
  const input = (schema: object) => () =>
    server().addTool({ name: "a", input: schema as { type: "object" }, run });

  for (const [what, act] of Object.entries({
    "a taken tool name": () => server().addTool({ name: "a", run }).addTool({ name: "a", run }),
    "a taken resource": () =>
      server()
        .addResource({ uri: "a:", name: "a", read: run })
        .addResource({ uri: "a:", name: "b", read: run }),
    "a taken prompt": () =>
      server().addPrompt({ name: "a", get: run }).addPrompt({ name: "a", get: run }),
    "an empty tool name": () => server().addTool({ name: "", run }),
    "a tool name of 129 characters": () => server().addTool({ name: "a".repeat(129), run }),
    "a tool name with a space": () => server().addTool({ name: "a b", run }),
    "a schema that is no object": input({ type: "array" }),
    "a schema without a type": input({}),
    "a schema of another dialect": input({
      type: "object",
      $schema: "http://json-schema.org/draft-04/schema#",
    }),
    "a schema nested too deep": input({ type: "object", properties: { a: nest(63) } }),
    "a schema of too many parts": input(wide(4095)),
    "a network $ref": input({
      type: "object",
      properties: { a: { $ref: "https://example.com/s.json" } },
    }),
    "a file $ref": input({ type: "object", $defs: { a: { $dynamicRef: "other.json" } } }),
    "a network $ref under a property named like a keyword": input({
      type: "object",
      properties: { default: { $ref: "https://example.com" } },
    }),
    "a schema that would be checked later": input({ type: "object", $async: true }),
    "a part of a schema that would be checked later": input({
      type: "object",
      properties: { a: { $async: true } },
    }),
    "a pattern that is none": input({ type: "object", properties: { a: { pattern: "(" } } }),
    "a pattern that is none with the u flag": input({
      type: "object",
      properties: { a: { pattern: "\\_" } },
    }),
    "a pattern that is no text": input({ type: "object", properties: { a: { pattern: 5 } } }),
    "a pattern of names that is none": input({ type: "object", patternProperties: { "[": {} } }),
    "a schema with a bigint": input({ type: "object", properties: { a: { default: 1n } } }),
    "a tool with a bigint": () => server().addTool({ name: "a", _meta: { a: 1n }, run }),
    "a tool with a cycle": () => server().addTool({ name: "a", _meta: cycle(), run }),
    "a guarded tool with a bigint": () =>
      server().addGuardedTool({
        tool: { name: "a", inputSchema: { type: "object" }, _meta: { a: 1n } },
        run: () => new ToolResult([]),
        prepare: async () => {},
      }),
    "a $ref in an output schema": () => server().addTool({ name: "a", output: { $ref: "x" }, run }),
  })) {
    test(what, () => assert.throws(act, UsageError));
  }

  for (const [what, act] of Object.entries({
    "a tool name of 128 characters": () =>
      server().addTool({ name: "A-z_0.".padEnd(128, "9"), run }),
    "a schema nested to the limit": input({ type: "object", properties: { a: nest(62) } }),
    "a schema of as many parts as there may be": input(wide(4094)),
    "a property named $ref, and data that looks like one": input({
      type: "object",
      properties: { $ref: { const: { $ref: "https://example.com" } } },
    }),
    "a property named pattern or $async, and data that looks like one": input({
      type: "object",
      properties: { pattern: { const: { pattern: "(" } }, $async: { type: "boolean" } },
    }),
    "a pattern that another library checks by": () =>
      server().addTool({
        name: "a",
        input: z.object({ a: z.string().regex(new RegExp(String.raw`\_`)) }),
        run,
      }),
    "a local $ref": input({
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: {} },
    }),
  })) {
    test(`and not for ${what}`, act as () => void);
  }
});

test("schemas of draft-07 are read as such, and those that share an $id do not meet", async () => {
  const schema = {
    type: "object",
    $id: "https://example.com/s",
    properties: { a: { type: "array", items: [{ type: "string" }], additionalItems: false } },
  } as const;
  const server = createServer({ name: "s", version: "1" });
  for (const name of ["one", "two"])
    server.addTool({
      name,
      input: { ...schema, $schema: "http://json-schema.org/draft-07/schema#" },
      run: () => "ok",
    });
  const peer = await openPeer(server, "2025-11-25");
  for (const name of ["one", "two"]) {
    assert.equal(
      (await peer.request("tools/call", { name, arguments: { a: ["x"] } })).result.content[0].text,
      "ok",
    );
    assert.equal(
      (await peer.request("tools/call", { name, arguments: { a: ["x", "y"] } })).result.isError,
      true,
    );
  }
});

test("a tool whose schema no validator can read fails alone, and says so to the report", async () => {
  const reports: string[] = [];
  const server = createServer({ name: "s", version: "1", report: (text) => reports.push(text) })
    .addTool({
      name: "bad",
      input: { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
      run: () => "",
    })
    .addTool({ name: "good", run: () => "ok" });
  const peer = openWire(server, "2026-07-28");
  assert.deepEqual((await peer.request("tools/call", { name: "bad" })).error, {
    code: -32603,
    message: "Internal error",
  });
  assert.equal((await peer.request("tools/call", { name: "good" })).result.content[0].text, "ok");
  assert.equal(reports.length, 1);
});

test("createServer() and addTool() say what an author who writes JavaScript has left out", () => {
  const wrong: readonly (readonly [() => unknown, RegExp])[] = [
    [
      () => Reflect.apply(createServer, undefined, [{ name: "x" }]),
      /its "version" is absent, expected a string/,
    ],
    [() => Reflect.apply(createServer, undefined, [{ version: "1" }]), /its "name" is absent/],
    [() => addAny({ name: "greet" }), /its "run" is absent, expected a function/],
    [() => addAny({ name: "greet", handler: () => "" }), /its "run" is absent/],
    [() => addAny("greet"), /its "name" is absent/],
    [
      () => addAny({ name: "a b", run: () => "" }),
      /its "name" is the string "a b", expected 1 to 128 of/,
    ],
    [
      () => addInput({ type: "object", properties: { n: { type: "strng" } } }),
      /a "type" is the string "strng", expected object, array/,
    ],
    [
      () => addInput({ type: "object", properties: { n: { type: [] } } }),
      /a "type" is absent, expected object/,
    ],
    [
      () => addInput({ type: "object", properties: ["n"] }),
      /a "properties" is an array, expected an object/,
    ],
  ];
  for (const [make, text] of wrong) assert.throws(make, { name: "UsageError", message: text });

  // Names and data that only look like schemas are let through.
  addInput({ type: "object", properties: { type: { type: "string", enum: ["strng"] } } });
});

function addAny(definition: unknown): void {
  const server = createServer({ name: "t", version: "1" });
  // oxlint-disable-next-line typescript/unbound-method -- applied to its own server
  Reflect.apply(server.addTool, server, [definition]);
}

function addInput(input: object): void {
  addAny({ name: "greet", input, run: () => "" });
}
