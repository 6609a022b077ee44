import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UsageError } from "../protocol/index.ts";
import { parseUriTemplate } from "./uri-template.ts";

describe("match() gives the variables of", () => {
  for (const [template, uri, variables] of [
    ["a:{x}", "a:1", { x: "1" }],
    ["a:{x}", "a:", { x: "" }],
    ["a:{x}/b", "a:1/b", { x: "1" }],
    ["a:{x,y}", "a:1,2", { x: "1", y: "2" }],
    ["a:{+path}", "a:b/c/d", { path: "b/c/d" }],
    ["a:{/x}", "a:/1", { x: "1" }],
    ["a:{/x,y}", "a:/1/2", { x: "1", y: "2" }],
    ["a:b{?q}", "a:b?q=1", { q: "1" }],
    ["a:b{?q,r}", "a:b?r=2&q=1&s=3", { q: "1", r: "2" }],
    ["a:b{?q}", "a:b", {}],
    ["a:{x}{?q}", "a:1?q=a%26b+c", { x: "1", q: "a&b c" }],
    ["a:{x}", "a:%2e%2E%2fetc%C3%A9", { x: "../etcé" }],
    ["a.b:{x}", "a.b:$&", { x: "$&" }],
    ["plain:", "plain:", {}],
    ["a:{x}-{y}", "a:1-2-3", { x: "1-2", y: "3" }],
    ["a:{x}{y}", "a:12", { x: "12", y: "" }],
    ["a:{x}/{+y}", "a:1/2/3", { x: "1", y: "2/3" }],
    ["a:{+x}/{y}", "a:1/2/3", { x: "1/2", y: "3" }],
    ["a:{x}/b/{y}/b", "a:b/b/b/b", { x: "b", y: "b" }],
    ["a:{x}aa", "a:aaa", { x: "a" }],
    ["a:{__proto__}", "a:1", JSON.parse('{"__proto__":"1"}')],
  ] as const) {
    test(`${uri} by ${template}`, () =>
      assert.deepEqual(spread(parseUriTemplate(template).match(uri)), spread(variables)));
  }
});

describe("match() refuses", () => {
  for (const [template, uri] of [
    ["a:{x}", "b:1"],
    ["a:{x}", "a:1/2"],
    ["a:{x}", "a:1?q=1"],
    ["a:{x}", "a:1#f"],
    ["a:{x}", "a:%"],
    ["a:{x}", "a:%C3"],
    ["a:{x}", "a:%ff"],
    ["a:{x}", `a:${"1".repeat(8191)}`],
    ["a:{x,y}", "a:1"],
    ["a:{/x}", "a:1"],
    ["a.b:{x}", "aXb:1"],
    ["a:{x}", "xa:1"],
  ] as const) {
    test(`${JSON.stringify(uri.slice(0, 20))} by ${template}`, () =>
      assert.equal(parseUriTemplate(template).match(uri), undefined));
  }
});

test("a URI made to be cut in many ways is refused at once", () => {
  const dashes = `a:${"-".repeat(8000)}`;
  const template = parseUriTemplate("a:{y}-{m}-{d}-{h}");
  assert.equal(template.match(`${dashes}#`), undefined);
  assert.equal(template.match(dashes)?.["y"]?.length, 7997);
});

test("the longest URI that is looked at has 8192 characters", () => {
  const template = parseUriTemplate("a:{x}");
  assert.deepEqual(
    [8191, 8192, 8193].map((length) => template.match("a:".padEnd(length, "1")) !== undefined),
    [true, true, false],
  );
});

for (const template of [
  "a:{}",
  "a:{x",
  "a:x}",
  "a:{x*}",
  "a:{x:3}",
  "a:{#x}",
  "a:{&x}",
  "a:{;x}",
  "a:{.x}",
  "a:{x y}",
  "a:{{x}}",
  "a:{?q}/b",
  "a:{x}{x}",
]) {
  test(`parseUriTemplate() refuses ${template}`, () => {
    assert.throws(
      () => parseUriTemplate(template),
      (thrown) => thrown instanceof UsageError && thrown.code === "invalid-uri-template",
    );
  });
}

/** What is matched inherits nothing. */
function spread(variables: object | undefined): object | undefined {
  return variables && { ...variables };
}
