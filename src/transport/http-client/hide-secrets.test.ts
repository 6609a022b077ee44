// Secrets do not come back in errors, whatever shape a server gives them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Arrival } from "../../protocol/index.ts";
import { hideSecrets, maxDataDepth, tooDeep } from "./hide-secrets.ts";

function hideInData(data: unknown, secret: string): unknown {
  const error: Arrival = { kind: "error", id: 1, error: { code: -32000, message: "x", data } };
  const [hidden] = hideSecrets([error], (text) => text.replaceAll(secret, "[redacted]"));
  assert.ok(hidden?.kind === "error");
  return hidden.error.data;
}

function nest(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

test("a secret is taken out of texts, keys and numbers", () => {
  const data = { "k-12345678": [12345678, "a 12345678 b", null, true, 1] };
  assert.deepEqual(hideInData(data, "12345678"), {
    "k-[redacted]": ["[redacted]", "a [redacted] b", null, true, 1],
  });
});

test("a secret with a quote and a backslash is taken out", () => {
  const secret = 'pa"ss\\word-123';
  assert.deepEqual(hideInData({ echo: secret }, secret), { echo: "[redacted]" });
});

test("a key named __proto__ stays a key", () => {
  const data: unknown = JSON.parse('{"__proto__":{"a":1}}');
  assert.equal(JSON.stringify(hideInData(data, "secret")), '{"__proto__":{"a":1}}');
});

test("data is kept up to maxDataDepth, and deeper data gives way to a word", () => {
  for (const depth of [maxDataDepth - 1, maxDataDepth])
    assert.deepEqual(hideInData(nest(depth), "secret"), nest(depth));
  assert.match(JSON.stringify(hideInData(nest(maxDataDepth + 1), "secret")), /\["\[too deep\]"\]/);
  assert.ok(JSON.stringify(hideInData(nest(100_000), "secret")).includes(tooDeep));
});
