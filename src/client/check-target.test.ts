// What connect() says of a target that cannot be meant, before anything is started.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTarget } from "./check-target.ts";

for (const [target, is] of [
  [undefined, "the target is undefined, expected an object"],
  [null, "the target is null, expected an object"],
  ["node server.js", "the target is a string, expected an object"],
  [["node"], "the target is an array, expected an object"],
  [{}, `the target is empty, expected "command", "url" or "transport"`],
  [
    { cmd: "node", args: [] },
    `the target has cmd, args alone, expected "command", "url" or "transport"`,
  ],
  [{ command: undefined }, `"command" is undefined, expected a string`],
  [{ command: 5 }, `"command" is a number, expected a string`],
  [{ command: "" }, `"command" is empty, expected a program`],
  [{ command: "node", args: "a b" }, `"args" is a string, expected an array of strings`],
  [{ command: "node", args: ["a", 5] }, `"args" holds a number, expected an array of strings`],
  [{ command: "node", env: "A=B" }, `"env" is a string, expected an object of strings`],
  [
    { command: "node", env: { PORT: 80 } },
    `the variable "PORT" of "env" is a number, expected a string`,
  ],
  [{ command: "node", cwd: 5 }, `"cwd" is a number, expected the path of a folder`],
  [{ transport: null }, `"transport" is null, expected an open transport`],
] as const) {
  test(`${JSON.stringify(target)} is no target`, () => {
    assert.throws(() => checkTarget(target), {
      name: "UsageError",
      code: "bad-target",
      message: `Cannot connect: ${is}`,
      hint: 'connect({ command: "node", args: ["server.js"] })',
    });
  });
}

for (const target of [
  { command: "node" },
  { command: "node", args: [], env: { A: "", B: undefined }, cwd: "." },
  { url: "https://example.com/mcp" },
  { url: new URL("https://example.com/mcp") },
  { transport: {} },
]) {
  test(`${JSON.stringify(target)} is a target`, () => checkTarget(target));
}
