import assert from "node:assert/strict";
import { test } from "node:test";
import { isWanted, parseChange, toNotification, type Change } from "./change.ts";

const changes: readonly (readonly [change: Change, method: string, params: object])[] = [
  [{ kind: "tools" }, "notifications/tools/list_changed", {}],
  [{ kind: "prompts" }, "notifications/prompts/list_changed", {}],
  [{ kind: "resources" }, "notifications/resources/list_changed", {}],
  [{ kind: "resource", uri: "" }, "notifications/resources/updated", { uri: "" }],
];

for (const [change, method, params] of changes) {
  test(`a change of ${change.kind} is told by ${method}, and read from it`, () => {
    assert.deepEqual(toNotification(change), { kind: "notification", method, params });
    assert.deepEqual(parseChange(toNotification(change)), change);
  });
}

test("parseChange() gives undefined for what tells of no change", () => {
  const method = "notifications/resources/updated";
  for (const params of [undefined, {}, { uri: 1 }])
    assert.equal(parseChange({ method, params }), undefined);
  assert.equal(parseChange({ method: "notifications/message", params: {} }), undefined);
});

test("isWanted() is true for the lists that a filter names", () => {
  const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  for (const kind of ["tools", "prompts", "resources"] as const) {
    const name = `${kind}ListChanged` as const;
    assert.equal(isWanted(all, { kind }), true);
    assert.equal(isWanted({ [name]: true }, { kind }), true);
    assert.equal(isWanted({ ...all, [name]: false }, { kind }), false);
    assert.equal(isWanted({}, { kind }), false);
  }
});

for (const [watched, uri, expected] of [
  ["file:///a", "file:///a", true],
  ["file:///a", "file:///a/b", true],
  ["file:///a", "file:///a?b", true],
  ["file:///a", "file:///a#b", true],
  ["file:///a/", "file:///a/b", true],
  ["a:", "a:b", true],
  ["file:///a", "file:///ab", false],
  ["file:///a", "file:///a.b", false],
  ["file:///a/b", "file:///a", false],
  ["", "", true],
  ["", "a", false],
] as const) {
  test(`who watches ${JSON.stringify(watched)} ${expected ? "hears" : "does not hear"} of ${JSON.stringify(uri)}`, () => {
    const filter = { resourceSubscriptions: ["other:", watched] };
    assert.equal(isWanted(filter, { kind: "resource", uri }), expected);
  });
}
