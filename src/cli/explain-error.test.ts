import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError, type Hint } from "../client/index.ts";
import { explainError } from "./explain-error.ts";

for (const [hint, said] of [
  [{ option: "era", value: "auto" }, "--era auto"],
  [{ option: "startTimeoutMs", value: 6_000 }, "--timeout 6000"],
  [{ option: "handlers", value: "elicit" }, undefined],
  [{ text: "chmod +x \u001B[2Jserver" }, "chmod +x server"],
  [undefined, undefined],
] as const satisfies readonly (readonly [Hint | undefined, string | undefined])[]) {
  test(`explainError() says the hint ${JSON.stringify(hint)} in the words of a shell`, () => {
    const failure = { code: "silent", what: "x", ...(hint === undefined ? {} : { hint }) } as const;
    const error = new ClientError("Cannot connect", failure);
    assert.deepEqual(explainError(error, "connecting"), {
      exit: "noConnection",
      text: "Cannot connect: x",
      hint: said,
    });
  });
}

test("explainError() leaves alone what is nobody's mistake but Genkan's", () => {
  assert.equal(explainError(new Error("bug"), "connecting"), undefined);
});
