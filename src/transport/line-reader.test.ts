import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Arrival } from "../protocol/index.ts";
import { defaultMaxLineBytes, LineReader, type LineReaderOptions } from "./line-reader.ts";

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pinged = { kind: "request", id: 1, method: "ping", params: undefined };
const japanese = '{"jsonrpc":"2.0","method":"日本語é😀"}';
const greeted = { kind: "notification", method: "日本語é😀", params: undefined };

test("many lines of one piece arrive in order", () => {
  assert.deepEqual(readWhole(`${ping}\n${japanese}\n${ping}\n`), [pinged, greeted, pinged]);
});

test("a piece without a newline brings nothing yet", () => {
  const reader = new LineReader();
  assert.deepEqual(reader.read(Buffer.from(ping)), []);
  assert.deepEqual(reader.read(Buffer.from("")), []);
  assert.deepEqual(reader.read(Buffer.from("\n")), [pinged]);
  assert.deepEqual(reader.end(), []);
});

test("a stream in pieces of one byte brings what it brings whole", () => {
  const bytes = Buffer.from(`${japanese}\r\n\n${ping}\n\uFEFF${ping}\nready\n${ping}`);
  assert.deepEqual(readPieces(bytes, 1), readWhole(bytes));
  assert.equal(readWhole(bytes).length, 9);
});

test("a line cut at any place, also inside a character, is read whole", () => {
  const bytes = Buffer.from(`${japanese}\n${ping}\n`);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new LineReader();
    const first = reader.read(bytes.subarray(0, cut));
    const second = reader.read(bytes.subarray(cut));
    assert.deepEqual([...first, ...second, ...reader.end()], [greeted, pinged], `cut at ${cut}`);
  }
});

const line = fc.oneof(
  fc.constantFrom("", " ", ping, japanese, "ready", "null", "[]", `[${ping}]`, `\uFEFF${ping}`),
  fc.json({ maxDepth: 2 }),
  fc
    .string({ unit: "binary" })
    .map((method) => JSON.stringify({ jsonrpc: "2.0", id: method, method })),
  fc.string({ unit: fc.constantFrom("a", "\r", "é", "漢", "😀", '"', "{") }),
);
const stream = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n")), { maxLength: 8 });
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 20 });

test("any cutting of any text brings what it brings whole", () => {
  fc.assert(
    fc.property(stream, line, cuts, (lines, last, places) => {
      const bytes = Buffer.from(lines.flat().join("") + last);
      assert.deepEqual(readCut(bytes, places), readWhole(bytes));
      assert.deepEqual(readPieces(bytes, 1), readWhole(bytes));
    }),
    { numRuns: 500 },
  );
});

test("any cutting of any bytes brings what they bring whole, also where lines are too long", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom("\n", "\n\n", ping, japanese).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.nat({ max: 60 }), cuts, (pieces, maxLineBytes, places) => {
      const bytes = Buffer.concat(pieces);
      const whole = readWhole(bytes, { maxLineBytes });
      assert.deepEqual(readCut(bytes, places, { maxLineBytes }), whole);
      assert.deepEqual(readPieces(bytes, 1, { maxLineBytes }), whole);
    }),
    { numRuns: 500 },
  );
});

const limit = Buffer.byteLength(japanese);
const tooLong = {
  kind: "fault",
  name: "line-too-long",
  at: limit,
  detail: `it is over ${limit} bytes, the most this reader takes`,
  from: "unknown",
  id: undefined,
};

for (const pieceBytes of [1, 7, limit, limit + 1, limit + 2, 1_000]) {
  test(`a line may have as many bytes as the limit, in pieces of ${pieceBytes}`, () => {
    const options = { maxLineBytes: limit };
    const short = `${ping}\n`;
    const read = (text: string) => readPieces(Buffer.from(text), pieceBytes, options);
    assert.deepEqual(read(`${japanese.replace("é", "e")}\n${short}`).map(kindOf), [
      "notification",
      "request",
    ]);
    assert.deepEqual(read(`${japanese}\n${short}`), [greeted, pinged]);
    assert.deepEqual(read(`${japanese} \n${short}`), [tooLong, pinged]);
    assert.deepEqual(read(`${" ".repeat(3 * limit)}\n${short}`), [tooLong, pinged]);
    const ascii = ping.padEnd(limit);
    assert.deepEqual(read(`${ascii}\n${short}`), [pinged, pinged]);
    assert.deepEqual(read(`${ascii} \n${short}`), [tooLong, pinged]);
    assert.deepEqual(read(`${ascii} `), [tooLong]);
  });
}

test("a line that is too long is refused before it ends, and once", () => {
  const reader = new LineReader({ maxLineBytes: limit });
  assert.deepEqual(reader.read(Buffer.alloc(limit, "x")), []);
  assert.deepEqual(reader.read(Buffer.from("x")), [tooLong]);
  assert.deepEqual(reader.read(Buffer.alloc(10 * limit, "x")), []);
  assert.deepEqual(reader.end(), []);
});

test("the limit is 16 MiB unless told otherwise", () => {
  assert.equal(defaultMaxLineBytes, 16 * 1024 * 1024);
  const reader = new LineReader();
  const atLimit = Buffer.alloc(defaultMaxLineBytes, ping.padEnd(defaultMaxLineBytes));
  assert.deepEqual(reader.read(atLimit), []);
  assert.deepEqual(reader.read(Buffer.from("\n")), [{ ...pinged, bytes: defaultMaxLineBytes }]);
  assert.deepEqual(reader.read(atLimit), []);
  assert.deepEqual(reader.read(Buffer.from(" ")).map(kindOf), ["line-too-long"]);
});

for (const text of ["x", "é"]) {
  test(`a request says how large it was from 4096 bytes on (${text})`, () => {
    const make = (size: number, id: number): string => {
      const request = (params: object) =>
        JSON.stringify({ jsonrpc: "2.0", id, method: "m", params });
      const missing = size - Buffer.byteLength(request({ a: text }));
      return request({ a: text + "x".repeat(missing) });
    };
    for (const size of [100, 4095, 4096, 4097, 100_000]) {
      const bytes = Buffer.from(`${make(size, 1)}\n`);
      for (const pieces of [readPieces(bytes, 1000), readPieces(bytes, bytes.length)]) {
        const [request] = pieces;
        assert.ok(request?.kind === "request");
        assert.equal(request.bytes, size < 4096 ? undefined : size);
      }
    }
    const batch = Buffer.from(
      `[${make(5000, 1)},${make(100, 2)},{"jsonrpc":"2.0","method":"n"}]\n`,
    );
    const [arrival] = readPieces(batch, batch.length);
    assert.ok(arrival?.kind === "batch");
    const sizes = arrival.items.map((item) => (item.kind === "request" ? item.bytes : item.kind));
    assert.equal(sizes[2], "notification");
    assert.ok(Number(sizes[0]) > 4900 && Number(sizes[1]) < 200);
  });
}

test("an 8 MiB line in pieces of 4 KiB grows its buffer a dozen times, not a thousand", (t) => {
  const text = "x".repeat(8 * 1024 * 1024);
  const bytes = Buffer.from(`{"jsonrpc":"2.0","method":"${text}"}\n`);
  const { mock } = t.mock.method(Buffer, "allocUnsafeSlow");
  const arrivals = readPieces(bytes, 4096);
  assert.deepEqual(arrivals.map(kindOf), ["notification"]);
  assert.equal(mock.callCount(), 13); // 4 KiB, 8 KiB … 16 MiB
});

test("a last line without its newline is read, and reported", () => {
  const fault = {
    kind: "fault",
    name: "unfinished-line",
    at: 40,
    detail: "the stream ended, expected a newline",
    from: "unknown",
    id: undefined,
  };
  assert.deepEqual(readWhole(ping), [fault, pinged]);
  assert.deepEqual(readWhole(ping.slice(0, 20)).map(kindOf), ["unfinished-line", "not-json"]);
});

test("the end is told once", () => {
  const reader = new LineReader();
  reader.read(Buffer.from(ping));
  assert.equal(reader.end().length, 2);
  assert.deepEqual(reader.end(), []);
  assert.deepEqual(new LineReader().end(), []);
});

const wrongBytes: readonly (readonly [name: string, hex: string])[] = [
  ["a continuation byte alone", "80"],
  ["an overlong form", "c0af"],
  ["a surrogate", "eda080"],
  ["beyond U+10FFFF", "f4908080"],
  ["Latin-1", "e9"],
  ["a character cut short", "e6bc"],
  ["no byte of UTF-8", "ff"],
];

for (const [name, hex] of wrongBytes) {
  test(`${name} (0x${hex}) is reported at its byte, with the id of the request it spoilt`, () => {
    const before = '{"jsonrpc":"2.0","id":"漢","method":"';
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from('"}')]);
    assert.deepEqual(readWhole(Buffer.concat([bytes, Buffer.from("\n")])), [
      {
        kind: "fault",
        name: "not-utf8",
        at: 38,
        detail: `byte 0x${hex.slice(0, 2)} at byte 38 is not UTF-8`,
        from: "request",
        id: "漢",
        excerpt: bytes.toString(),
      },
    ]);
  });
}

const spoilt: readonly (readonly [text: string, from: string, id: number | undefined])[] = [
  ['{"jsonrpc":"2.0","method":"\xff"}', "notification", undefined],
  ['{"jsonrpc":"2.0","method":"\xff","params":1}', "notification", undefined],
  ['{"jsonrpc":"2.0","id":0,"result":{"text":"\xff"}}\r', "reply", 0],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"\xff"}}', "reply", undefined],
  ['{"jsonrpc":"2.0","id":5,"params":{},"method":["\xff"]}', "request", 5],
  ['[{"jsonrpc":"2.0","method":"\xff"}]', "unknown", undefined],
  ["\xff", "unknown", undefined],
  ['{"\xff', "unknown", undefined],
];

for (const [text, from, id] of spoilt) {
  test(`a byte that is not UTF-8 in ${JSON.stringify(text)} spoils a message from: ${from}`, () => {
    const [fault, ...rest] = readWhole(Buffer.from(`${text}\n`, "latin1"));
    assert.deepEqual(rest, []);
    assert.ok(fault?.kind === "fault");
    assert.deepEqual(
      [fault.name, fault.at, fault.from, fault.id],
      ["not-utf8", text.indexOf("\xff"), from, id],
    );
  });
}

function readWhole(bytes: Buffer | string, options?: LineReaderOptions): readonly Arrival[] {
  const reader = new LineReader(options);
  return [...reader.read(Buffer.from(bytes)), ...reader.end()];
}

function readPieces(bytes: Buffer, size: number, options?: LineReaderOptions): readonly Arrival[] {
  const places = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  return readCut(bytes, places, options);
}

function readCut(
  bytes: Buffer,
  places: readonly number[],
  options?: LineReaderOptions,
): readonly Arrival[] {
  const reader = new LineReader(options);
  const ends = [...places, bytes.length].toSorted((a, b) => a - b);
  const arrivals = ends.flatMap((end, index) =>
    reader.read(bytes.subarray(ends[index - 1] ?? 0, end)),
  );
  return [...arrivals, ...reader.end()];
}

function kindOf(arrival: Arrival): string {
  return arrival.kind === "fault" ? arrival.name : arrival.kind;
}
