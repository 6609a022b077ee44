import assert from "node:assert/strict";
import { test } from "node:test";
import { quoteEnd } from "./last-words.ts";

test("quoteEnd() quotes what a crash says, with its first place outside of Node, and else the last three lines", () => {
  const crash = [
    "starting",
    "file:///shop/server.ts:3",
    'throw new Error("DATABASE_URL is not set");',
    "      ^",
    "",
    "Error: DATABASE_URL is not set",
    "    at node:internal/timers:1:1",
    "    at openDatabase (file:///shop/server.ts:3:7)",
    "    at ModuleJob.run (node:internal/modules/esm/module_job:430:25)",
    "",
    "Node.js v24.21.0",
  ].join("\n");
  assert.equal(
    quoteEnd(crash),
    '"Error: DATABASE_URL is not set | at openDatabase (file:///shop/server.ts:3:7)"',
  );
  assert.equal(quoteEnd("one\ntwo\nthree\nfour\n"), '"two | three | four"');
  assert.equal(
    quoteEnd("Error: said, and went on\nlistening\n"),
    '"Error: said, and went on | listening"',
  );
});
