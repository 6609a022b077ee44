// Which redirects are followed, and what may go along.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback, judgeRedirect } from "./redirect.ts";

const rows: readonly (readonly [
  from: string,
  status: number,
  location: string | undefined,
  outcome: string,
])[] = [
  ["https://a.example/mcp", 307, "/v2", "https://a.example/v2 same"],
  ["https://a.example/mcp", 308, "https://a.example/mcp/", "https://a.example/mcp/ same"],
  ["https://a.example/mcp", 302, "https://b.example/mcp", "https://b.example/mcp other"],
  ["https://a.example/mcp", 307, "https://a.example:8443/mcp", "https://a.example:8443/mcp other"],
  ["http://a.example/mcp", 301, "https://a.example/mcp", "https://a.example/mcp other"],
  ["https://a.example/mcp", 303, "/v2", "303 See Other"],
  ["https://a.example/mcp", 307, undefined, "without a Location"],
  ["https://a.example/mcp", 307, "http://[", "no URL"],
  ["https://a.example/mcp", 307, "http://a.example/mcp", "from https: to http:"],
  ["https://a.example/mcp", 307, "file:///etc/passwd", "leads to file:"],
  ["https://a.example/mcp", 307, "https://u:p@a.example/", "a password in it"],
  ["https://a.example/mcp", 307, "https://127.0.0.1/", "this machine or its own network"],
  ["http://a.example/mcp", 307, "http://localhost:80/", "this machine or its own network"],
  ["http://127.0.0.1:1/mcp", 307, "http://127.0.0.1:2/mcp", "http://127.0.0.1:2/mcp other"],
];

for (const [from, status, location, outcome] of rows)
  test(`${status} from ${from} to ${location} ends as "${outcome}"`, () => {
    const judged = judgeRedirect(new URL(from), status, location);
    const said =
      judged.kind === "follow"
        ? `${judged.url.href} ${judged.isSameOrigin ? "same" : "other"}`
        : judged.why;
    assert.ok(said.includes(outcome), said);
  });

test("a redirect into the own network is refused in every spelling of its address", () => {
  for (const host of [
    "127.1",
    "0x7f000001",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "localhost.",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[fd00::1]",
    "[fe80::1]",
  ]) {
    const judged = judgeRedirect(new URL("https://a.example/mcp"), 307, `https://${host}/`);
    assert.equal(judged.kind, "refuse", host);
  }
  for (const host of ["172.32.0.1", "192.169.0.1", "11.0.0.1", "[2001:db8::1]", "[::2]"]) {
    const judged = judgeRedirect(new URL("https://a.example/mcp"), 307, `https://${host}/`);
    assert.equal(judged.kind, "follow", host);
  }
});

test("this machine is known by all its names", () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"])
    assert.ok(isLoopback(new URL(`http://${host}/`)), host);
  for (const host of ["localhost.example", "127.example", "128.0.0.1", "[::2]"])
    assert.ok(!isLoopback(new URL(`http://${host}/`)), host);
});
