import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "./fault.ts";
import { excerptOf, parseLine, type Arrival } from "./parse-line.ts";

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pinged = { kind: "request", id: 1, method: "ping", params: undefined };

test("a message brings itself", () => {
  assert.deepEqual(read(ping), [pinged]);
  assert.deepEqual(read(`  \t${ping}  `), [pinged]);
});

test("U+2028 and U+2029 do not end a line", () => {
  assert.deepEqual(read('{"jsonrpc":"2.0","method":"a\u2028b\u2029"}'), [
    { kind: "notification", method: "a\u2028b\u2029", params: undefined },
  ]);
});

test("parseLine() appends to what has arrived before", () => {
  const arrivals: Arrival[] = [];
  parseLine(ping, arrivals);
  parseLine(ping, arrivals);
  assert.equal(arrivals.length, 2);
});

test("an array with members is a batch, and each member a message or a fault", () => {
  const [batch, ...rest] = read(`[${ping},{"jsonrpc":"2.0","method":"n"},7]`);
  assert.deepEqual(rest, []);
  assert.ok(batch?.kind === "batch");
  assert.deepEqual(
    batch.items.map(({ kind }) => kind),
    ["request", "notification", "fault"],
  );
});

// What a line with one fault says of it: where in bytes, and in which words.
const faults: readonly (readonly [
  line: string,
  name: Fault["name"],
  at: number,
  detail: string,
])[] = [
  ["", "blank-line", 0, "it is blank, expected a message"],
  [" \t\r", "blank-line", 0, "it is blank, expected a message"],
  [
    "Content-Length: 40\r",
    "content-length",
    0,
    "it is a header as LSP has them, expected one JSON message on a line of its own",
  ],
  [
    "content-type: application/json",
    "content-length",
    0,
    "it is a header as LSP has them, expected one JSON message on a line of its own",
  ],
  ["Server ready", "not-json", 0, '"Server ready" at byte 0, expected a JSON value'],
  ["\u001b[32mok", "not-json", 0, '"\\u001b[32mok" at byte 0, expected a JSON value'],
  [
    "2026-07-28 INFO ready",
    "not-json",
    4,
    '"-07-28 INFO " at byte 4, expected the end of the line',
  ],
  ["17 done", "not-json", 3, '"done" at byte 3, expected the end of the line'],
  ["{", "not-json", 1, "the end of the line at byte 1, expected a key in double quotes"],
  ["{ jsonrpc: '2.0'", "not-json", 2, `"jsonrpc: '2." at byte 2, expected a key in double quotes`],
  ['{"a" 1}', "not-json", 5, '"1}" at byte 5, expected ":"'],
  ['{"a":1 "b"', "not-json", 7, '"\\"b\\"" at byte 7, expected "," or "}"'],
  ["[1,]", "not-json", 3, '"]" at byte 3, expected a JSON value'],
  ['{"a":1,}', "not-json", 7, '"}" at byte 7, expected a key in double quotes'],
  ['{"é":x}', "not-json", 6, '"x}" at byte 6, expected a JSON value'],
  ['{"漢":x}', "not-json", 7, '"x}" at byte 7, expected a JSON value'],
  ['{"😀":x}', "not-json", 8, '"x}" at byte 8, expected a JSON value'],
  ['{"a":"b', "not-json", 7, 'the end of the line at byte 7, expected the closing "'],
  [
    '{"a":"\u0001"}',
    "not-json",
    6,
    '"\\u0001\\"}" at byte 6, expected the control character written as an escape',
  ],
  ['{"a":"\\x"}', "not-json", 6, `"\\\\x\\"}" at byte 6, expected one of JSON's escapes`],
  [`[${ping}`, "not-json", 41, 'the end of the line at byte 41, expected "," or "]"'],
  [
    '{"a":1} x',
    "several-on-a-line",
    8,
    '"x" follows a whole JSON object, expected the end of the line',
  ],
  [
    `${ping}${ping}`,
    "several-on-a-line",
    40,
    '"{\\"jsonrpc\\":\\"" follows a whole JSON object, expected the end of the line',
  ],
  [
    '{"漢字":1}é',
    "several-on-a-line",
    12,
    '"é" follows a whole JSON object, expected the end of the line',
  ],
];

for (const [line, name, at, detail] of faults) {
  test(`${JSON.stringify(line)} is one ${name} at byte ${at}`, () => {
    const excerpt = line;
    assert.deepEqual(read(line), [
      { kind: "fault", name, at, detail, from: "unknown", id: undefined, excerpt },
    ]);
  });
}

test("a CR before the newline is reported beside the message", () => {
  const line = '{"jsonrpc":"2.0","method":"漢字"}\r';
  assert.deepEqual(read(line), [
    {
      kind: "fault",
      name: "carriage-return",
      at: 35,
      detail: "the line ends in CR LF, expected LF alone",
      from: "unknown",
      id: undefined,
      excerpt: line,
    },
    { kind: "notification", method: "漢字", params: undefined },
  ]);
});

test("a byte order mark is reported beside the message", () => {
  const [mark, ...rest] = read(`\uFEFF${ping}\r`);
  assert.ok(mark?.kind === "fault");
  assert.equal(mark.name, "byte-order-mark");
  assert.equal(mark.at, 0);
  assert.equal(mark.detail, "the line begins with U+FEFF, expected {");
  assert.deepEqual(rest.map(nameOf), ["carriage-return at 43", "request"]);
  assert.deepEqual(rest[1], pinged);
});

test("offsets after a byte order mark count its three bytes", () => {
  assert.deepEqual(read('\uFEFF{"a"').map(nameOf), ["byte-order-mark at 0", "not-json at 7"]);
  assert.deepEqual(read("\uFEFF").map(nameOf), ["byte-order-mark at 0", "blank-line at 3"]);
  assert.deepEqual(read("\uFEFFContent-Length: 1").map(nameOf), [
    "byte-order-mark at 0",
    "content-length at 3",
  ]);
  assert.deepEqual(read(`\uFEFFinfo ${ping}`).map(nameOf), [
    "byte-order-mark at 0",
    "text-before-message at 3",
  ]);
});

test("a hundred thousand byte order marks are one fault", () => {
  assert.deepEqual(read("\uFEFF".repeat(100_000) + ping).map(nameOf), [
    "byte-order-mark at 0",
    "request",
  ]);
});

test("a byte order mark inside the line is not JSON", () => {
  assert.deepEqual(read(`{\uFEFF"a":1}`).map(nameOf), ["not-json at 1"]);
});

const glued: readonly (readonly [prefix: string, shown: string, messageAt: number])[] = [
  ["ready ", '"ready {\\"json"', 6],
  ["漢字", '"漢字{\\"jsonrpc\\""', 6],
  ["2026-07-28 ", '"2026-07-28 {"', 11],
  ["[info] ", '"[info] {\\"jso"', 7],
  ["[1] ", '"[1] {\\"jsonrp"', 4],
];

for (const [prefix, shown, messageAt] of glued) {
  test(`${JSON.stringify(prefix)} before a reply is reported with the id of the reply`, () => {
    const line = `${prefix}{"jsonrpc":"2.0","id":0,"result":{}}`;
    assert.deepEqual(read(line), [
      {
        kind: "fault",
        name: "text-before-message",
        at: 0,
        detail: `${shown} stands before the message at byte ${messageAt}, expected a newline between them`,
        from: "reply",
        id: 0,
        excerpt: line,
      },
    ]);
  });
}

test("text before a call, or before half a reply, says nothing of whose it was", () => {
  for (const message of [ping, '{"jsonrpc":"2.0","id":0,"result":{']) {
    const [fault] = read(`ready ${message}`);
    assert.ok(fault?.kind === "fault");
    assert.equal(fault.name, "text-before-message");
    assert.deepEqual([fault.from, fault.id], ["unknown", undefined]);
  }
});

test("text before an error without an id belongs to a reply to nobody known", () => {
  const [fault] = read('x{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}');
  assert.ok(fault?.kind === "fault");
  assert.deepEqual([fault.from, fault.id], ["reply", undefined]);
});

test("JSON that is no message keeps its value and its excerpt", () => {
  const line = '{"level":"info","msg":"ready"}';
  const [fault] = read(line);
  assert.ok(fault?.kind === "fault");
  assert.equal(fault.name, "invalid-message");
  assert.deepEqual(fault.value, { level: "info", msg: "ready" });
  assert.equal(fault.excerpt, line);
});

test("excerptOf() gives at most 200 characters of a line", () => {
  assert.equal(excerptOf("x".repeat(199)), "x".repeat(199));
  assert.equal(excerptOf("x".repeat(200)), "x".repeat(200));
  assert.equal(excerptOf("x".repeat(201)), `${"x".repeat(200)}…`);
});

function read(line: string): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  parseLine(line, arrivals);
  return arrivals;
}

function nameOf(arrival: Arrival): string {
  return arrival.kind === "fault" ? `${arrival.name} at ${arrival.at}` : arrival.kind;
}

test("several messages on a line name the call whose reply was spoilt", () => {
  const reply = '{"jsonrpc":"2.0","id":7,"result":{}}';
  const notification = '{"jsonrpc":"2.0","method":"notifications/message"}';
  for (const line of [reply + reply, reply + notification, notification + reply, `${reply}done`]) {
    const arrivals: Arrival[] = [];
    parseLine(line, arrivals);
    const [fault] = arrivals;
    assert.ok(fault?.kind === "fault", line);
    assert.deepEqual([fault.name, fault.from, fault.id], ["several-on-a-line", "reply", 7], line);
  }
});
