import assert from "node:assert/strict";
import { test } from "node:test";
import { LineReader } from "../transport/index.ts";
import { faultCatalogue, isTolerated, replyToFault, type Fault, type FaultName } from "./fault.ts";

// One stream for each name: without its example, a new name does not compile.
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const examples: Readonly<Record<FaultName, Buffer>> = {
  "blank-line": Buffer.from("\n"),
  "carriage-return": Buffer.from(`${ping}\r\n`),
  "byte-order-mark": Buffer.from(`\uFEFF${ping}\n`),
  "unfinished-line": Buffer.from(ping),
  "not-utf8": Buffer.from(`${ping.replace("ping", "p\xEFng")}\n`, "latin1"),
  "not-json": Buffer.from("ready\n"),
  "content-length": Buffer.from("Content-Length: 40\r\n"),
  "several-on-a-line": Buffer.from(`${ping}${ping}\n`),
  "text-before-message": Buffer.from(`ready ${ping}\n`),
  "line-too-long": Buffer.from(`${" ".repeat(90)}${ping}\n`),
  "null-message": Buffer.from("null\n"),
  "array-message": Buffer.from("[]\n"),
  "scalar-message": Buffer.from("2026\n"),
  "invalid-message": Buffer.from('{"level":"info"}\n'),
};
const tolerated = new Set<string>([
  "blank-line",
  "carriage-return",
  "byte-order-mark",
  "unfinished-line",
]);

const names = Object.keys(faultCatalogue).filter((name): name is FaultName => name in examples);

test("every fault has an example", () => {
  assert.deepEqual(Object.keys(examples), Object.keys(faultCatalogue));
});

for (const name of names) {
  test(`${name} is what its example brings, described on one line`, () => {
    const fault = readFault(examples[name]);
    assert.equal(fault.name, name);
    assert.match(fault.detail, /^[^\n]+[^.\n]$/);
    assert.match(faultCatalogue[name].summary, /^[A-Z][^\n]+[^.\n]$/);
  });

  test(`${name} is ${tolerated.has(name) ? "passed over" : "answered"}`, () => {
    const fault = readFault(examples[name]);
    assert.equal(isTolerated(fault), tolerated.has(name));
    assert.equal(replyToFault(fault, "null") === undefined, tolerated.has(name));
  });
}

test("what is not JSON is -32700, and JSON that is no request is -32600", () => {
  const codes = names.map((name) => [name, replyToFault(makeFault({ name }), "null")?.error.code]);
  assert.deepEqual(Object.fromEntries(codes), {
    "blank-line": undefined,
    "carriage-return": undefined,
    "byte-order-mark": undefined,
    "unfinished-line": undefined,
    "not-utf8": -32700,
    "not-json": -32700,
    "content-length": -32700,
    "several-on-a-line": -32700,
    "text-before-message": -32700,
    "line-too-long": -32600,
    "null-message": -32600,
    "array-message": -32600,
    "scalar-message": -32600,
    "invalid-message": -32600,
  });
});

test("an id that could not be read is null or left out", () => {
  const error = { code: -32700, message: "Cannot read the line: it is so" };
  const fault = makeFault({ name: "not-json" });
  assert.deepEqual(replyToFault(fault, "null"), { kind: "error", id: null, error });
  assert.deepEqual(replyToFault(fault, "omitted"), { kind: "error", id: undefined, error });
});

test("an id that could be read goes back, also 0 and the empty string", () => {
  for (const id of [0, "", -1, "a"]) {
    const fault = makeFault({ from: "request", id });
    assert.equal(replyToFault(fault, "null")?.id, id);
    assert.equal(replyToFault(fault, "omitted")?.id, id);
  }
});

test("a faulty notification or reply is never answered", () => {
  for (const from of ["notification", "reply"] as const)
    assert.equal(replyToFault(makeFault({ from, id: 1 }), "null"), undefined);
  for (const from of ["request", "unknown"] as const)
    assert.notEqual(replyToFault(makeFault({ from }), "null"), undefined);
});

function makeFault(members: Partial<Fault>): Fault {
  const name = "invalid-message";
  return {
    kind: "fault",
    name,
    at: 0,
    detail: "it is so",
    from: "unknown",
    id: undefined,
    ...members,
  };
}

function readFault(bytes: Buffer): Fault {
  const reader = new LineReader({ maxLineBytes: 100 });
  const fault = [...reader.read(bytes), ...reader.end()].find(({ kind }) => kind === "fault");
  assert.ok(fault?.kind === "fault");
  return fault;
}
