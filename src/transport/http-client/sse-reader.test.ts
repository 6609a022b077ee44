// Event streams by the book: however the bytes are cut, the same events come.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { SseReader, type SseEvent } from "./sse-reader.ts";

const limit = 1_000;

function readAll(pieces: readonly Buffer[], maxEventBytes = limit): SseEvent[] {
  const reader = new SseReader(maxEventBytes);
  return pieces.flatMap((piece) => reader.read(piece));
}

function readText(text: string): SseEvent[] {
  return readAll([Buffer.from(text)]);
}

const rows: readonly (readonly [what: string, text: string, events: readonly SseEvent[]])[] = [
  ["an event", "data: a\n\n", [{ type: "message", data: "a" }]],
  ["no space after the colon", "data:a\n\n", [{ type: "message", data: "a" }]],
  ["only the first space", "data:  a\n\n", [{ type: "message", data: " a" }]],
  ["CR", "data: a\rdata: b\r\r", [{ type: "message", data: "a\nb" }]],
  ["CR LF", "data: a\r\ndata: b\r\n\r\n", [{ type: "message", data: "a\nb" }]],
  ["all three mixed", "data: a\rdata: b\r\ndata: c\n\r", [{ type: "message", data: "a\nb\nc" }]],
  ["a byte order mark", "\uFEFFdata: a\n\n", [{ type: "message", data: "a" }]],
  [
    "a second one, which is a field's name",
    "data: a\n\n\uFEFFdata: b\n\n",
    [{ type: "message", data: "a" }],
  ],
  ["comments", ": hi\n:\ndata: a\n: ho\n\n", [{ type: "message", data: "a" }]],
  ["a type", "event: endpoint\ndata: /m\n\n", [{ type: "endpoint", data: "/m" }]],
  [
    "a type of its own for each event",
    "event: x\ndata: 1\n\ndata: 2\n\n",
    [
      { type: "x", data: "1" },
      { type: "message", data: "2" },
    ],
  ],
  [
    "empty data",
    "data:\n\ndata\n\n",
    [
      { type: "message", data: "" },
      { type: "message", data: "" },
    ],
  ],
  ["a type without data", "event: x\n\n", []],
  ["an unknown field", "foo: bar\ndata: a\n\n", [{ type: "message", data: "a" }]],
  [
    "U+2028 and U+0085, which end no line",
    "data: \u2028\u0085\n\n",
    [{ type: "message", data: "\u2028\u0085" }],
  ],
  ["an unfinished event", "data: a\n", []],
];

for (const [what, text, events] of rows)
  test(`an event stream with ${what} is read as the standard has it`, () => {
    assert.deepEqual(readText(text), events);
    assert.deepEqual(readAll([...Buffer.from(text)].map((byte) => Buffer.from([byte]))), events);
  });

test("any cut of any stream brings the same events, ids and waits", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "data",
      "data:",
      ":",
      "event: x",
      "id: 7",
      "id:",
      "retry: 12",
      "retry: x",
      "",
      "",
    ),
    fc.string({ unit: "binary", maxLength: 12 }).map((text) => `data: ${text}`),
  );
  const end = fc.constantFrom("\n", "\r", "\r\n");
  const stream = fc.array(fc.tuple(line, end)).map((lines) => Buffer.from(lines.flat().join("")));
  fc.assert(
    fc.property(stream, fc.array(fc.nat(40), { maxLength: 20 }), (bytes, cuts) => {
      const whole = new SseReader(limit);
      const events = whole.read(bytes);
      const pieces: Buffer[] = [];
      let start = 0;
      for (const cut of cuts) {
        pieces.push(bytes.subarray(start, start + cut));
        start += cut;
      }
      pieces.push(bytes.subarray(start));
      const cutUp = new SseReader(limit);
      assert.deepEqual(
        pieces.flatMap((piece) => cutUp.read(piece)),
        events,
      );
      assert.equal(cutUp.lastEventId, whole.lastEventId);
      assert.equal(cutUp.retryMs, whole.retryMs);
    }),
    { numRuns: 500 },
  );
});

test("an id holds from its event on, and one with NUL is none", () => {
  const reader = new SseReader(limit);
  reader.read(Buffer.from("id: 1\n"));
  assert.equal(reader.lastEventId, undefined, "its event is not finished");
  reader.read(Buffer.from("\n"));
  assert.equal(reader.lastEventId, "1");
  reader.read(Buffer.from("id: 2\0\n\ndata: a\n\n"));
  assert.equal(reader.lastEventId, "1");
});

test("retry is taken where it is digits alone", () => {
  const reader = new SseReader(limit);
  reader.read(Buffer.from("retry: 250\n"));
  assert.equal(reader.retryMs, 250);
  reader.read(Buffer.from("retry: 9s\nretry: -1\nretry: 99999999999\n"));
  assert.equal(reader.retryMs, 250);
});

for (const length of [limit - 1, limit, limit + 1])
  for (const step of [1, 7, 5_000])
    test(`an event of ${length} bytes in pieces of ${step} is read up to the limit of ${limit}`, () => {
      const bytes = Buffer.from(`data: ${"x".repeat(length)}\n\ndata: next\n\n`);
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.subarray(at, at + step));
      const [first, next] = readAll(pieces);
      assert.equal(first?.trouble, length > limit ? "too long" : undefined);
      assert.equal(first?.data.length, length > limit ? 0 : length);
      assert.deepEqual(next, { type: "message", data: "next" });
    });

test("many short lines of one event count together", () => {
  const [event] = readText(`${"data: 0123456789\n".repeat(100)}\n`);
  assert.deepEqual(event, { type: "message", data: "", trouble: "too long" });
});

test("data that is not UTF-8 is said to be so", () => {
  const [event] = readAll([Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xe9, 0x0a, 0x0a])]);
  assert.equal(event?.trouble, "not UTF-8");
});

test("an id is taken with 1023 and 1024 characters, and passed over with 1025", () => {
  for (const [length, isTaken] of [
    [1_023, true],
    [1_024, true],
    [1_025, false],
  ] as const) {
    const reader = new SseReader(4_096);
    reader.read(Buffer.from(`id: first\n\nid: ${"x".repeat(length)}\n\n`));
    assert.equal(reader.lastEventId?.length, isTaken ? length : "first".length);
    assert.equal(reader.hasBadId, !isTaken);
  }
});
