import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outgoing } from "./json-rpc.ts";
import { encodeMessage, isRequestId, parseMessage } from "./message.ts";

const parse = (text: string) => parseMessage(JSON.parse(text));

const ids: readonly (readonly [text: string, id: string | number])[] = [
  ["0", 0],
  ['""', ""],
  ['"0"', "0"],
  ['"漢字"', "漢字"],
  ["-1", -1],
  ["1.0", 1],
  ["9007199254740991", 9007199254740991],
  ["-9007199254740991", -9007199254740991],
];

for (const [text, id] of ids) {
  test(`parseMessage() accepts ${text} as an id`, () => {
    assert.deepEqual(parse(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`), {
      kind: "request",
      id,
      method: "ping",
      params: undefined,
    });
    assert.deepEqual(parse(`{"jsonrpc":"2.0","id":${text},"result":{}}`), {
      kind: "result",
      id,
      result: {},
    });
  });
}

const beyond = `"id" is a number beyond 2^53-1, which JSON readers alter; send it as a string`;
const badIds: readonly (readonly [text: string, detail: string, echoed: number | undefined])[] = [
  ["1.5", `"id" is the fraction 1.5, expected a string or an integer`, 1.5],
  ["9007199254740992", beyond, undefined],
  ["-9007199254740992", beyond, undefined],
  ["1e300", beyond, undefined],
  ["1e400", beyond, undefined],
  ["null", `"id" is null, expected a string or an integer`, undefined],
  ["true", `"id" is the boolean true, expected a string or an integer`, undefined],
  ["{}", `"id" is an object, expected a string or an integer`, undefined],
  ["[]", `"id" is an array, expected a string or an integer`, undefined],
];

for (const [text, detail, echoed] of badIds) {
  test(`parseMessage() refuses ${text} as an id`, () => {
    const line = `{"jsonrpc":"2.0","id":${text},"method":"ping"}`;
    assert.deepEqual(parse(line), {
      kind: "fault",
      name: "invalid-message",
      at: 0,
      detail,
      from: "request",
      id: echoed,
      value: JSON.parse(line),
    });
    assertFault(`{"jsonrpc":"2.0","id":${text},"result":{}}`, detail, "reply", echoed);
  });
}

test("isRequestId() takes strings and safe integers and nothing else", () => {
  for (const id of [0, "", -1, "1", Number.MAX_SAFE_INTEGER]) assert.equal(isRequestId(id), true);
  for (const id of [1.5, 2 ** 53, NaN, Infinity, null, undefined, true, {}, [], 1n])
    assert.equal(isRequestId(id), false);
});

test("a call without an id is a notification", () => {
  assert.deepEqual(parse('{"jsonrpc":"2.0","method":"notifications/initialized"}'), {
    kind: "notification",
    method: "notifications/initialized",
    params: undefined,
  });
});

test("an object as params is kept as it came", () => {
  assert.deepEqual(parse('{"jsonrpc":"2.0","method":"m","params":{"a":[1,null]}}'), {
    kind: "notification",
    method: "m",
    params: { a: [1, null] },
  });
});

test("members that JSON-RPC does not know are passed over", () => {
  assert.deepEqual(parse('{"jsonrpc":"2.0","id":1,"method":"m","trace":"x"}'), {
    kind: "request",
    id: 1,
    method: "m",
    params: undefined,
  });
});

const replies: readonly (readonly [text: string, message: object])[] = [
  [
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
    { kind: "result", id: 1, result: { tools: [] } },
  ],
  [
    '{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":""}}',
    { kind: "error", id: "a", error: { code: -32601, message: "" } },
  ],
  [
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    { kind: "error", id: null, error: { code: -32700, message: "Parse error" } },
  ],
  [
    '{"jsonrpc":"2.0","error":{"code":0,"message":"m","data":null,"stack":"s"}}',
    { kind: "error", id: undefined, error: { code: 0, message: "m", data: null } },
  ],
];

for (const [text, message] of replies) {
  test(`parseMessage() reads the reply ${text}`, () => assert.deepEqual(parse(text), message));
}

type From = "request" | "notification" | "reply" | "unknown";
const refused: readonly (readonly [text: string, detail: string, from: From, id?: number])[] = [
  ['{"id":1,"method":"m"}', `"jsonrpc" is absent, expected "2.0"`, "request", 1],
  ['{"method":"m"}', `"jsonrpc" is absent, expected "2.0"`, "notification"],
  ['{"jsonrpc":2.0,"id":1,"result":{}}', `"jsonrpc" is the number 2, expected "2.0"`, "reply", 1],
  [
    '{"jsonrpc":"1.0","id":1,"method":"m"}',
    `"jsonrpc" is the string "1.0", expected "2.0"`,
    "request",
    1,
  ],
  ["{}", `"jsonrpc" is absent, expected "2.0"`, "request"],
  ['{"jsonrpc":"2.0"}', `there is no "method", "result" or "error"`, "request"],
  ['{"jsonrpc":"2.0","id":3}', `there is no "method", "result" or "error"`, "request", 3],
  ['{"jsonrpc":"2.0","id":1,"method":null}', `"method" is null, expected a string`, "request", 1],
  ['{"jsonrpc":"2.0","method":7}', `"method" is the number 7, expected a string`, "request"],
  [
    '{"jsonrpc":"2.0","id":1,"method":"m","params":null}',
    `"params" is null, expected an object`,
    "request",
    1,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}',
    `"params" is an array, expected an object`,
    "request",
    1,
  ],
  [
    '{"jsonrpc":"2.0","method":"m","params":"p"}',
    `"params" is the string "p", expected an object`,
    "notification",
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"m","result":{}}',
    `a "method" and a reply's members stand in one message`,
    "request",
    1,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"result":{},"error":null}',
    `both "result" and "error" are there, expected one`,
    "reply",
    1,
  ],
  ['{"jsonrpc":"2.0","result":{}}', `"id" is absent, expected a string or an integer`, "reply"],
  ['{"jsonrpc":"2.0","id":1,"result":null}', `"result" is null, expected an object`, "reply", 1],
  ['{"jsonrpc":"2.0","id":1,"result":[]}', `"result" is an array, expected an object`, "reply", 1],
  [
    '{"jsonrpc":"2.0","id":1,"error":"no"}',
    `"error" is the string "no", expected an object`,
    "reply",
    1,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}',
    `the error's "code" is absent, expected an integer`,
    "reply",
    1,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":"-1","message":"m"}}',
    `the error's "code" is the string "-1", expected an integer`,
    "reply",
    1,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}',
    `the error's "code" is the number 1.5, expected an integer`,
    "reply",
    1,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
    `the error's "message" is absent, expected a string`,
    "reply",
    1,
  ],
];

for (const [text, detail, from, id] of refused) {
  test(`parseMessage() refuses ${text}`, () => assertFault(text, detail, from, id));
}

test("what is no object is named by what it is", () => {
  assert.deepEqual(parse("null"), notAnObject("null-message", "null"));
  assert.deepEqual(parse("[]"), notAnObject("array-message", "an array"));
  assert.deepEqual(parse("0"), notAnObject("scalar-message", "the number 0"));
  assert.deepEqual(parse('""'), notAnObject("scalar-message", 'the string ""'));
  assert.deepEqual(parse("false"), notAnObject("scalar-message", "the boolean false"));
});

test("__proto__ is a member like any other", () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":true},"constructor":1}}';
  const message = parse(text);
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.ok(message.kind === "request");
  assert.equal(message.params?.["polluted"], undefined);
  assert.equal(encodeMessage(message), text);
});

test("members of __proto__ do not make a message", () => {
  assertFault(
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}',
    `"jsonrpc" is absent, expected "2.0"`,
    "request",
  );
});

test("the last of two members with one name counts", () => {
  const message = parse('{"jsonrpc":"2.0","id":1,"method":"a","method":"b","id":2}');
  assert.deepEqual(message, { kind: "request", id: 2, method: "b", params: undefined });
});

const encodings: readonly (readonly [message: Outgoing, text: string])[] = [
  [
    { kind: "request", id: 0, method: "ping", params: undefined },
    '{"jsonrpc":"2.0","id":0,"method":"ping"}',
  ],
  [
    { kind: "request", id: "", method: "tools/call", params: { name: "a\nb\u2028" } },
    '{"jsonrpc":"2.0","id":"","method":"tools/call","params":{"name":"a\\nb\u2028"}}',
  ],
  [{ kind: "notification", method: "n", params: {} }, '{"jsonrpc":"2.0","method":"n","params":{}}'],
  [
    { kind: "result", id: -1, result: { text: "\ud800" } },
    '{"jsonrpc":"2.0","id":-1,"result":{"text":"\\ud800"}}',
  ],
  [
    { kind: "error", id: 7, error: { code: -32000, message: "no", data: null } },
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no","data":null}}',
  ],
  [
    { kind: "error", id: null, error: { code: -32700, message: "no" } },
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
  ],
  [
    { kind: "error", id: undefined, error: { code: -32700, message: "no" } },
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}',
  ],
];

for (const [message, text] of encodings) {
  test(`encodeMessage() writes ${text}`, () => {
    assert.equal(encodeMessage(message), text);
    assert.deepEqual(parse(text), message);
  });
}

test("encodeMessage() writes a batch as an array on one line", () => {
  const items = encodings.map(([message]) => message).filter((message) => message.kind !== "batch");
  const text = encodeMessage({ kind: "batch", items });
  assert.equal(text, `[${encodings.map(([, line]) => line).join(",")}]`);
});

test("encodeMessage() throws at what JSON cannot say", () => {
  const message = (result: object): Outgoing => ({ kind: "result", id: 1, result: { ...result } });
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  assert.throws(() => encodeMessage(message({ big: 1n })), TypeError);
  assert.throws(() => encodeMessage(message(circle)), TypeError);
});

function assertFault(text: string, detail: string, from: From, id?: number): void {
  const value: unknown = JSON.parse(text);
  const expected = { kind: "fault", name: "invalid-message", at: 0, detail, from, id, value };
  assert.deepEqual(parseMessage(value), expected);
}

function notAnObject(name: string, what: string): object {
  const detail = `it is ${what}, expected a JSON-RPC object`;
  return { kind: "fault", name, at: 0, detail, from: "unknown", id: undefined };
}
