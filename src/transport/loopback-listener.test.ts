// The loopback address to which a browser comes back.

import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { openLoopbackListener } from "./loopback-listener.ts";

test("it listens on 127.0.0.1 alone, shows a page, and keeps no more", async () => {
  await using listener = await openLoopbackListener(0);
  const { redirectUri } = listener;
  assert.match(redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const seen: string[] = [];
  const waiting = listener.waitFor((parameters) => {
    seen.push(parameters.toString());
    return parameters.get("state") === "s" ? { kind: "taken" } : { kind: "ignored" };
  }, 5_000);
  assert.equal((await fetch(`${redirectUri}?state=t`)).status, 404);
  assert.equal((await fetch(new URL("/other?state=s", redirectUri))).status, 404);
  assert.equal((await fetch(`${redirectUri}?state=s`, { method: "POST" })).status, 404);
  assert.equal(await statusWithHost(`${redirectUri}?state=s`, "evil.example"), 404);
  const page = await fetch(`${redirectUri}?state=s&code=c`);
  assert.equal(page.status, 200);
  assert.doesNotMatch(await page.text(), /code=c/);
  assert.equal(await waiting, undefined);
  assert.deepEqual(seen, ["state=t", "state=s&code=c"]);
});

test("a port that is taken is no end of it", async () => {
  await using first = await openLoopbackListener(0);
  await using second = await openLoopbackListener(Number(new URL(first.redirectUri).port));
  assert.notEqual(second.redirectUri, first.redirectUri);
});

test("nobody is waited for without end", async () => {
  await using listener = await openLoopbackListener(0);
  assert.equal(await listener.waitFor(() => ({ kind: "taken" }), 20), "timeout");
});

function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on("error", reject);
    asking.end();
  });
}
