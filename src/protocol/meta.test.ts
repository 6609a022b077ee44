import assert from "node:assert/strict";
import { test } from "node:test";
import { WireError } from "./errors.ts";
import {
  isImplementation,
  parseCallerMeta,
  progressTokenOf,
  protocolVersionOf,
  traceContextOf,
} from "./meta.ts";

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const infoKey = "io.modelcontextprotocol/clientInfo";
const levelKey = "io.modelcontextprotocol/logLevel";

test("parseCallerMeta() reads what a caller says of itself", () => {
  const params = JSON.parse(
    `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
      `"${capabilitiesKey}":{"elicitation":{}},"${infoKey}":{"name":"n","version":"","title":"t"},"${levelKey}":"debug"}}`,
  );
  assert.deepEqual(parseCallerMeta(params), {
    capabilities: { elicitation: {} },
    clientInfo: { name: "n", version: "", title: "t" },
    logLevel: "debug",
  });
});

test("capabilities are all that a caller must say", () => {
  assert.deepEqual(parseCallerMeta({ _meta: { [capabilitiesKey]: {} } }), {
    capabilities: {},
    clientInfo: undefined,
    logLevel: undefined,
  });
});

const levels = "debug, info, notice, warning, error, critical, alert, emergency";
const refusals: readonly (readonly [params: string, text: string])[] = [
  ["{}", `"_meta" is absent, expected an object`],
  [`{"_meta":null}`, `"_meta" is null, expected an object`],
  [`{"_meta":[]}`, `"_meta" is an array, expected an object`],
  [`{"_meta":0}`, `"_meta" is the number 0, expected an object`],
  [
    `{"_meta":{}}`,
    `_meta "${capabilitiesKey}" is absent, expected an object ({} when there are none)`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":null}}`,
    `_meta "${capabilitiesKey}" is null, expected an object ({} when there are none)`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":["roots"]}}`,
    `_meta "${capabilitiesKey}" is an array, expected an object ({} when there are none)`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":{},"${infoKey}":"me"}}`,
    `_meta "${infoKey}" is the string "me", expected an object with "name" and "version"`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":{},"${infoKey}":{"name":"me"}}}`,
    `_meta "${infoKey}" is an object, expected an object with "name" and "version"`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":{},"${infoKey}":null}}`,
    `_meta "${infoKey}" is null, expected an object with "name" and "version"`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":{},"${levelKey}":"DEBUG"}}`,
    `_meta "${levelKey}" is the string "DEBUG", expected one of ${levels}`,
  ],
  [
    `{"_meta":{"${capabilitiesKey}":{},"${levelKey}":"${"x".repeat(41)}"}}`,
    `_meta "${levelKey}" is a string of 41 characters, expected one of ${levels}`,
  ],
];

for (const [params, text] of refusals) {
  test(`parseCallerMeta() refuses ${params}`, () => {
    assert.throws(() => parseCallerMeta(JSON.parse(params)), isInvalidParams(text));
  });
}

test("parseCallerMeta() refuses a request without params", () => {
  const text = `"_meta" is absent, expected an object`;
  assert.throws(() => parseCallerMeta(undefined), isInvalidParams(text));
});

test("progressTokenOf() gives strings and integers, also 0 and the empty string", () => {
  for (const token of [0, "", -1, 7, "abc"])
    assert.equal(progressTokenOf({ _meta: { progressToken: token } }), token);
  for (const token of [null, 1.5, true, {}, [], 2 ** 53])
    assert.equal(progressTokenOf({ _meta: { progressToken: token } }), undefined);
  for (const params of [undefined, {}, { _meta: {} }, { _meta: null }, { progressToken: 1 }])
    assert.equal(progressTokenOf(params), undefined);
});

test("protocolVersionOf() gives what stands there, whatever it is", () => {
  const key = "io.modelcontextprotocol/protocolVersion";
  for (const version of ["2026-07-28", "", 0, null])
    assert.equal(protocolVersionOf({ _meta: { [key]: version } }), version);
  for (const params of [undefined, {}, { _meta: {} }, { _meta: [] }, { [key]: "2026-07-28" }])
    assert.equal(protocolVersionOf(params), undefined);
});

test("isImplementation() asks for a string as name and as version", () => {
  assert.equal(isImplementation({ name: "", version: "" }), true);
  for (const value of [null, "n", [], {}, { name: "n" }, { name: "n", version: 1 }])
    assert.equal(isImplementation(value), false);
});

function isInvalidParams(text: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof WireError);
    assert.deepEqual(error.toBody(), { code: -32602, message: text });
    return true;
  };
}

test("traceContextOf() reads a W3C trace context, and takes a malformed one for none", () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const spanId = "b7ad6b7169203331";
  const good = `00-${traceId}-${spanId}-01`;
  const read = (traceparent: unknown, tracestate?: unknown) =>
    traceContextOf({ _meta: { traceparent, tracestate } });
  const known = { traceId, spanId, flags: 1, state: undefined };
  assert.deepEqual(read(good), known);
  assert.deepEqual(read(`01-${traceId}-${spanId}-01-more`), known);
  assert.equal(read(good, "x".repeat(512))?.state?.length, 512);
  for (const state of ["x".repeat(513), 5, null]) assert.deepEqual(read(good, state), known);
  for (const odd of [
    undefined,
    null,
    5,
    "",
    `${good}-more`,
    `${good} `,
    good.toUpperCase(),
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
  ])
    assert.equal(read(odd), undefined, String(odd));
  for (const params of [undefined, {}, { _meta: null }, { _meta: [] }])
    assert.equal(traceContextOf(params), undefined);
});
