import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { test } from "node:test";
import { Underway } from "./underway.ts";

test("Underway keeps 1 and '1' apart, in the order they came first, until they are taken out", () => {
  const underway = new Underway<string | number, { readonly n: number }>();
  underway.set(1, { n: 1 });
  underway.set("1", { n: 2 });
  underway.set(0, { n: 3 });
  assert.deepEqual(
    [underway.get(1), underway.get("1"), underway.get(2)],
    [{ n: 1 }, { n: 2 }, undefined],
  );
  underway.set("1", { n: 4 });
  const seen: (string | number)[] = [];
  for (const [key] of underway.entries()) {
    seen.push(key);
    underway.delete(key);
  }
  underway.delete("none");
  assert.deepEqual(seen, [1, "1", 0]);
  assert.deepEqual([underway.size, underway.has(0), [...underway.values()]], [0, false, []]);
});

test("Underway lets go of what was taken out, also where a Map is old already", () => {
  const collect = loadCollector();
  const underway = new Underway<number, readonly number[]>();
  const pass = (key: number): void => {
    underway.set(key, Array<number>(1000).fill(key));
    underway.delete(key - 8);
  };
  for (let key = 0; key < 8; key++) pass(key);
  collect({ type: "major" });
  const before = process.memoryUsage().heapUsed;
  for (let key = 8; key < 2000; key++) pass(key);
  collect({ type: "minor" });
  collect({ type: "minor" });
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 2_000_000, `${grown} bytes of 16 000 000 are still there`);
});

function loadCollector(): (options: { readonly type: "major" | "minor" }) => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  assert.ok(typeof collect === "function");
  return (options) => void collect(options);
}
