// How the body of a fetch request is bounded.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Body } from "./exchange.ts";
import { FetchExchange } from "./fetch-exchange.ts";

const readBody = (text: string, headers: Record<string, string>): Promise<Body> =>
  new Promise((resolve) => {
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", body: text, headers });
    new FetchExchange(request).readBody(10, resolve);
  });

for (const [name, text, length, expected] of [
  ["of the length it declares", "0123456789", "10", "0123456789"],
  ["that declares no length", "0123456789", undefined, "0123456789"],
  ["that declares no number", "0123456789", "many", "0123456789"],
  ["that declares more than the limit", "0", "11", "too large"],
  ["longer than the limit, and than it declares", "0123456789a", "1", "too large"],
  ["longer than the limit, of no declared length", "0123456789a", undefined, "too large"],
] as const)
  test(`a body ${name} ends as "${expected}"`, async () => {
    const body = await readBody(text, length === undefined ? {} : { "content-length": length });
    assert.equal(body.toString(), expected);
  });
