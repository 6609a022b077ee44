import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { Arrival } from "../protocol/index.ts";
import type { RawLine } from "./line-tap.ts";
import { createMemoryPair } from "./memory.ts";
import { StreamTransport } from "./stream-transport.ts";
import type { Transport } from "./transport.ts";

const note = (method: string) => ({ kind: "notification", method, params: undefined }) as const;
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pinged = { kind: "request", id: 1, method: "ping", params: undefined };

test("what one end of a memory pair sends arrives at the other, in both directions", async () => {
  const [left, right] = createMemoryPair();
  left.send({ kind: "request", id: 0, method: "ping", params: undefined });
  left.send(note("日本語😀"));
  right.send({ kind: "result", id: "", result: { text: "a\nb" } });
  assert.deepEqual(await readNext(right), [
    { kind: "request", id: 0, method: "ping", params: undefined },
    note("日本語😀"),
  ]);
  assert.deepEqual(await readNext(left), [{ kind: "result", id: "", result: { text: "a\nb" } }]);
  await Promise.all([left.close(), right.close()]);
});

test("a reply arrives while both ends are open", async () => {
  const [left, right] = createMemoryPair();
  const served = (async () => {
    for await (const arrivals of right.incoming)
      for (const arrival of arrivals)
        if (arrival.kind === "request")
          right.send({ kind: "result", id: arrival.id, result: { method: arrival.method } });
    await right.close();
  })();
  left.send({ kind: "request", id: 1, method: "ping", params: undefined });
  assert.deepEqual(await readNext(left), [{ kind: "result", id: 1, result: { method: "ping" } }]);
  await left.close();
  await served;
});

test("the limits of a memory pair hold at both ends", async () => {
  const [left, right] = createMemoryPair({ maxLineBytes: 20 });
  left.send(note("x"));
  right.send(note("x"));
  for (const end of [left, right])
    assert.deepEqual((await readNext(end)).map(nameOf), ["line-too-long"]);
  await Promise.all([left.close(), right.close()]);
});

test("closing ends the iteration at both ends", async () => {
  const [left, right] = createMemoryPair();
  const ends = Promise.all([readAll(left), readAll(right)]);
  await left.close();
  await right.close();
  assert.deepEqual(await ends, [[], []]);
});

test("what is sent after closing is dropped and does not cost the peer what was sent before", async () => {
  const [left, right] = createMemoryPair();
  left.send(note("before"));
  await left.close();
  left.send(note("after"));
  await left.close();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await readAll(right), [note("before")]);
  await right.close();
});

test("messages of one piece of bytes arrive together", async () => {
  const { input, transport } = open();
  input.write(`${ping}\n${ping}\n`);
  input.end(`${ping}\n`);
  const batches: (readonly Arrival[])[] = [];
  for await (const arrivals of transport.incoming) batches.push(arrivals);
  assert.deepEqual(
    batches.map(({ length }) => length),
    [2, 1],
  );
});

test("a piece without the end of a line brings nothing to wake up for", async () => {
  const { input, transport } = open();
  const next = readNext(transport);
  for (const piece of [ping.slice(0, 9), ping.slice(9), "\n"]) {
    input.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(await next, [pinged]);
});

test("half a line at the end is read and reported", async () => {
  const { input, transport } = open();
  input.write(`${ping}\n`);
  input.end(ping);
  const arrivals = await readAll(transport);
  assert.deepEqual(arrivals.map(nameOf), ["request", "unfinished-line", "request"]);
  assert.deepEqual(arrivals.at(-1), pinged);
});

test("an error on the input ends the iteration after what had come", async () => {
  const { input, transport } = open();
  input.write(`${ping}\n${ping}`);
  const iterator = transport.incoming[Symbol.asyncIterator]();
  assert.deepEqual((await iterator.next()).value, [pinged]);
  input.destroy(new Error("read ECONNRESET"));
  assert.deepEqual((await iterator.next()).value?.map(nameOf), ["unfinished-line", "request"]);
  assert.equal((await iterator.next()).done, true);
});

test("an input that ends and stays open ends the iteration", async () => {
  const input = new PassThrough({ autoDestroy: false });
  const transport = new StreamTransport({ input, output: new PassThrough() });
  input.end(`${ping}\n`);
  assert.deepEqual(await readAll(transport), [pinged]);
});

test("an input that closes without an end ends the iteration", async () => {
  const { input, transport } = open();
  input.destroy();
  assert.deepEqual(await readAll(transport), []);
});

test("an output that breaks ends the iteration, unless told to read on", async () => {
  for (const [options, read] of [
    [{}, []],
    [{ readsOn: false }, []],
    [{ readsOn: true }, [pinged]],
  ] as const) {
    const { input, output, transport } = open(options);
    output.destroy(new Error("write EPIPE"));
    await new Promise((resolve) => setImmediate(resolve));
    input.end(`${ping}\n`);
    assert.deepEqual(await readAll(transport), read, JSON.stringify(options));
  }
});

test("a flood that nobody reads stops the input, and is read whole in the end", async () => {
  const { input, transport } = open();
  let written = 0;
  for (let piece = 0; piece < 1_000; piece++) {
    await new Promise((resolve) => setImmediate(resolve));
    written++;
    if (!input.write(`${ping.padEnd(4096)}\n`)) break;
  }
  assert.ok(written < 1_000, "the sender was asked to wait");
  input.end();
  assert.equal((await readAll(transport)).length, written);
});

test("an observer sees every line from then on, byte for byte", async () => {
  const { input, output, transport } = open();
  output.resume();
  const lines: RawLine[] = [];
  transport.observe((line) => lines.push(line));
  transport.send(note("a"));
  transport.send(note("漢"));
  await transport.flushed();
  input.write(`${ping}\r\n\uFEFF`);
  input.end("half");
  await readAll(transport);
  assert.deepEqual(
    lines.map(({ direction, bytes }) => [direction, bytes.toString()]),
    [
      ["sent", '{"jsonrpc":"2.0","method":"a"}\n'],
      ["sent", '{"jsonrpc":"2.0","method":"漢"}\n'],
      ["received", `${ping}\r\n`],
      ["received", "\uFEFFhalf"],
    ],
  );
});

test("an observer is shown a line over the limit before it ends", async () => {
  const { input, transport } = open({ maxLineBytes: 10 });
  const lines: string[] = [];
  transport.observe(({ bytes }) => lines.push(bytes.toString()));
  input.write("x".repeat(10));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(lines, []);
  input.write("x");
  assert.deepEqual((await readNext(transport)).map(nameOf), ["line-too-long"]);
  assert.deepEqual(lines, ["x".repeat(11)]);
});

function open(options: { readonly readsOn?: boolean; readonly maxLineBytes?: number } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, transport: new StreamTransport({ input, output, ...options }) };
}

async function readNext(transport: Transport): Promise<readonly Arrival[]> {
  const { value } = await transport.incoming[Symbol.asyncIterator]().next();
  return value ?? [];
}

async function readAll(transport: Transport): Promise<readonly Arrival[]> {
  const all: Arrival[] = [];
  for await (const arrivals of transport.incoming) all.push(...arrivals);
  return all;
}

function nameOf(arrival: Arrival): string {
  return arrival.kind === "fault" ? arrival.name : arrival.kind;
}
