// WWW-Authenticate as servers write it, well and badly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeChallenges, parseChallenges } from "./challenge.ts";

const rows: readonly (readonly [header: string | undefined, challenges: readonly unknown[]])[] = [
  [undefined, []],
  ["", []],
  ["Bearer", [["bearer", {}]]],
  ['Bearer realm="a", scope="x y"', [["bearer", { realm: "a", scope: "x y" }]]],
  [
    'bearer error=invalid_token , error_description="a \\"b\\", c"',
    [["bearer", { error: "invalid_token", error_description: 'a "b", c' }]],
  ],
  [
    'Basic realm="x", Bearer scope="y"',
    [
      ["basic", { realm: "x" }],
      ["bearer", { scope: "y" }],
    ],
  ],
  [
    "Negotiate, Bearer",
    [
      ["negotiate", {}],
      ["bearer", {}],
    ],
  ],
  [
    'Bearer resource_metadata="https://a.example/.well-known/x",\n scope="a"',
    [["bearer", { resource_metadata: "https://a.example/.well-known/x", scope: "a" }]],
  ],
  ['Bearer scope="first", scope="second"', [["bearer", { scope: "first" }]]],
  ['Bearer realm="unclosed', [["bearer", {}]]],
  ['realm="nobody\'s"', []],
];

for (const [header, challenges] of rows)
  test(`${JSON.stringify(header)} is read`, () => {
    assert.deepEqual(
      parseChallenges(header).map(({ scheme, parameters }) => [
        scheme,
        Object.fromEntries(parameters),
      ]),
      challenges,
    );
  });

test("a long header costs linear time and is cut", () => {
  assert.ok(parseChallenges(`Bearer ${"a=b, ".repeat(100_000)}`).length === 1);
  assert.ok(parseChallenges(" ,".repeat(100_000)).length === 0);
});

test("a refusal is put into words", () => {
  assert.equal(
    describeChallenges(parseChallenges('Basic realm="a", Bearer scope="x", secret="y"')),
    'it asks for basic or bearer with scope "x"',
  );
  assert.equal(describeChallenges([]), "it does not say what it wants (no WWW-Authenticate)");
});
