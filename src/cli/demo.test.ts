// The demo as a newcomer sees it, in every era, and its bytes.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { finish, genkan, startGenkan } from "../../fixtures/command-line.ts";

/** What passes, in order: the direction, what it is, and its id. */
const calls = [
  "→ request 2 · tools/list",
  "← result 2 · tools/list",
  "→ request 3 · tools/call count_orders",
  "← result 3 · tools/call count_orders",
  "→ request 4 · tools/call count_orders",
  "← result 4 · tools/call count_orders · isError",
  "→ request 5 · tools/call no_such_tool",
  "← error 5 · tools/call no_such_tool · -32602 InvalidParams",
  "→ notification · notifications/cancelled",
];
const legacy = [
  "→ request 1 · initialize",
  "← result 1 · initialize",
  "→ notification · notifications/initialized",
  ...calls,
];
const modern = ["→ request 1 · server/discover", "← result 1 · server/discover", ...calls];

describe("genkan demo", { concurrency: 4 }, () => {
  for (const [era, titles] of [
    ["legacy", legacy],
    ["modern", modern],
    ["auto", modern],
  ] as const) {
    test(`--era ${era} shows the whole session and a good verdict`, async () => {
      const { code, stdout, stderr } = await genkan("demo", "--era", era);
      assert.deepEqual([code, stderr], [0, ""]);
      const lines = stdout.trimEnd().split("\n");
      assert.deepEqual(
        lines.filter((line) => /^[→←]/.test(line)),
        titles,
      );
      const wide = lines.filter((line) => line.length > 100);
      const longString = /^ +"\w+": "(?:[^"\\]|\\.)+",?$/; // cannot be broken
      assert.deepEqual(
        wide.filter((line) => !longString.test(line)),
        [],
      );
      const notifications = titles.filter((title) => title.includes("notification ·")).length;
      const told = `${notifications} notification${notifications === 1 ? "" : "s"}`;
      const verdict = lines.slice(lines.indexOf("Verdict") + 1);
      assert.deepEqual(
        verdict.map((line) => line.replace(/after \d+ ms$/, "after n ms")),
        [
          "  good  stdout   5 lines, each one protocol message",
          `  good  replies  5 requests and ${told} sent, 5 replies came, one to each request`,
          "  good  calls    each one gave what it should",
          "  good  stderr   nothing",
          "  good  end      by itself when its stdin was closed, exit code 0, after n ms",
        ],
      );
    });

    test(`--era ${era} --raw prints every byte, and the verdict elsewhere`, async () => {
      const { code, stdout, stderr } = await genkan("demo", "--raw", "--era", era);
      assert.equal(code, 0);
      assert.match(stderr, /^\nVerdict\n {2}good /);
      const lines = stdout.split("\n");
      assert.equal(lines.pop(), "");
      assert.deepEqual(
        lines.map((line) => `${line.slice(0, 1)} ${describeRaw(line.slice(2))}`),
        titles.map((title) =>
          title
            .split(" · ")
            .slice(0, title.includes("notif") ? 2 : 1)
            .join(" "),
        ),
      );
      for (const line of lines) {
        const text = line.slice(2);
        assert.equal(JSON.stringify(JSON.parse(text)), text); // as it was written, not laid out anew
      }
    });
  }

  test("it leaves nothing in the temporary folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "genkan-test-"));
    try {
      const { code } = await finish(startGenkan({ words: ["demo"], env: { TMPDIR: folder } }));
      assert.deepEqual([code, readdirSync(folder)], [0, []]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("it leaves nothing there either when a second signal ends it at once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "genkan-test-"));
    try {
      const child = startGenkan({ words: ["demo"], env: { TMPDIR: folder } });
      child.stdout.on("data", function watch(piece: string) {
        if (!piece.includes("→ request")) return; // from then on it listens to signals
        child.stdout.off("data", watch);
        child.kill("SIGINT");
        child.kill("SIGTERM");
      });
      const { code } = await finish(child);
      assert.deepEqual([code, readdirSync(folder)], [130, []]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a reader that stops after the first line is no error", async () => {
    const child = startGenkan({ words: ["demo"] });
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await finish(child);
    assert.deepEqual([code, stderr], [0, ""]);
  });
});

/** Says of a message's bytes what the readable view says of the message. */
function describeRaw(json: string): string {
  const message: { id?: number; method?: string; result?: object } = JSON.parse(json);
  if (message.id === undefined) return `notification ${message.method}`;
  if (message.method !== undefined) return `request ${message.id}`;
  return `${message.result === undefined ? "error" : "result"} ${message.id}`;
}
