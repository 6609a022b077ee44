import assert from "node:assert/strict";
import { test } from "node:test";
import type { RawLine } from "../../transport/index.ts";
import { readLine } from "./read-line.ts";
import { openTranscript } from "./transcript.ts";

const plain = (_style: string, text: string): string => text;

/** The texts of these lines, one after the other. */
function write(...lines: readonly (readonly [RawLine["direction"], string])[]): readonly string[] {
  const transcript = openTranscript(plain);
  return lines.map(([direction, text]) =>
    transcript(readLine({ direction, bytes: Buffer.from(text) })),
  );
}

test("a transcript names a reply by the request of the other side", () => {
  const texts = write(
    ["sent", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'],
    ["received", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'],
    ["sent", '{"jsonrpc":"2.0","id":1,"result":{}}\n'],
    ["received", '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}\n'],
    ["received", '{"jsonrpc":"2.0","id":"1","result":{}}\n'],
    ["received", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}\n'],
  );
  assert.deepEqual(
    texts.map((text) => text.split("\n", 1).join()),
    [
      "→ request 1 · tools/list",
      "← request 1 · ping",
      "→ result 1 · ping",
      "← error 1 · tools/list · -1",
      '← result "1" · no such request',
      "← error null · no id · -32700 ParseError",
    ],
  );
});

test("a transcript shows the same _meta once", () => {
  const meta = '"_meta":{"a":1}';
  const [first, second, other] = write(
    ["sent", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${meta}}}\n`],
    ["sent", `{"jsonrpc":"2.0","id":2,"method":"ping","params":{${meta}}}\n`],
    ["sent", '{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":{"a":2}}}\n'],
  );
  assert.match(first ?? "", /"params": \{ "_meta": \{ "a": 1 \} \} \}$/);
  assert.match(second ?? "", /"params": \{ "_meta": \{ … as in request 1 \} \} \}$/);
  assert.match(other ?? "", /"params": \{ "_meta": \{ "a": 2 \} \} \}$/);
});

test("a transcript marks what is not one message", () => {
  const [stray] = write(["received", "Server \u001B[32mready\u001B[0m\n"]);
  assert.equal(
    stray,
    '← not one message: "Server \\u001b[32m" at byte 0, expected a JSON value\n    Server ready',
  );
  const [glued] = write(["received", '{"jsonrpc":"2.0","method":"a"}']);
  assert.deepEqual(glued?.split("\n", 2), [
    "← not one message: the line has no newline",
    "← notification · a",
  ]);
});
