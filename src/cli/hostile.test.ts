import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, openSync, closeSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { genkan } from "../../fixtures/command-line.ts";
import { describeSchema } from "./server/describe-schema.ts";
import { readArguments } from "./server/read-arguments.ts";
import { showJson } from "./server/show-result.ts";
import { layOutTools } from "./server/tool-table.ts";
import { formatJson } from "./transcript/format-json.ts";

const layout = { width: 80, maxLines: 12 };

function nest(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

for (const [what, value] of [
  ["a message of 200 000 levels", nest(200_000)],
  ["a list of 300 000 items", Array.from({ length: 300_000 }, (_, item) => item)],
  ["1 500 lists of 1 000 levels", Array.from({ length: 1_500 }, () => nest(1_000))],
  [
    "an object of 100 000 members",
    Object.fromEntries(Array.from({ length: 100_000 }, (_, item) => [`k${item}`, item])),
  ],
] as const) {
  test(`${what} is shown in a few lines`, () => {
    const lines = formatJson(value, layout);
    assert.ok(lines.length <= layout.maxLines);
    assert.ok(lines.join("").includes("…"));
  });
}

test("a result nested too deep to be written is refused in one sentence", () => {
  assert.throws(() => showJson(nest(200_000)), { name: "UsageError", message: /nested too deep/ });
});

test("a tool of 200 000 arguments is laid out, and a type of 200 000 alternatives is named", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 200_000 }, (_, index) => [`a${index}`, { type: "string" }]),
  );
  const table = layOutTools(
    [{ name: "wide", inputSchema: { type: "object", properties } }],
    (_, text) => text,
  );
  assert.equal(table.split("\n").length, 200_001);

  const type = Array.from({ length: 200_000 }, (_, index) => `t${index}`);
  assert.equal(describeSchema({ type }), "t0|t1|t2|t3|t4|t5|…199994 more");
});

async function* piecesOf(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

test("arguments on stdin that are no UTF-8 are refused, not altered", async () => {
  const latin1 = Buffer.from('{"t":"caf\xe9"}', "latin1");
  await assert.rejects(readArguments("-", piecesOf(latin1), "genkan call x"), {
    name: "UsageError",
    message: /no UTF-8/,
  });
  const split = Buffer.from('{"t":"café"}');
  const read = await readArguments("-", piecesOf(split.subarray(0, 10), split.subarray(10)), "x");
  assert.deepEqual(read, { t: "café" });
});

test("a byte order mark before arguments is passed over", async () => {
  assert.deepEqual(await readArguments('\uFEFF{"a":1}', piecesOf(), "x"), { a: 1 });
});

test(
  "a result that a full disk does not take ends with 74 and a sentence",
  { skip: !existsSync("/dev/full") },
  () => {
    const full = openSync("/dev/full", "w");
    const root = new URL("../../", import.meta.url);
    const words = [
      "src/cli/main.ts",
      "tools",
      "--",
      process.execPath,
      "examples/greeter/server.ts",
    ];
    const { status, stderr } = spawnSync(process.execPath, words, {
      cwd: fileURLToPath(root),
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    assert.equal(status, 74);
    assert.match(stderr, /^Cannot write to stdout: ENOSPC/);
  },
);

test("an error that quotes a stranger's words shows their controls, whichever command says it", async () => {
  for (const words of [
    ["serve", "\u001B[31m\u009B.yaml"],
    ["tools", "--\u001B[31m"],
    ["\u001B]0;x\u0007"],
  ]) {
    const { code, stderr } = await genkan(...words);
    assert.notEqual(code, 0);
    assert.doesNotMatch(stderr, /(?!\n)\p{Cc}/u, words.join(" "));
  }
});
