// No time is asserted here, only that what the benches measure is right, and that they count rightly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, open } from "./ask.ts";
import type { Bench, Case } from "./bench.ts";
import { parseCommandLine } from "./command-line.ts";
import { nodeCommand } from "./cpus.ts";
import { EchoPump } from "./echo-pump.ts";
import { driveClient } from "./measures/client.ts";
import { echoRequest, checkEcho, listRequest, toRecord } from "./messages.ts";
import { Subject } from "./process.ts";
import { runRounds } from "./rounds.ts";
import { median, medianRatio, percentile } from "./statistics.ts";
import { clientCases, pathOf, serverCases } from "./subjects.ts";
import { summarize } from "./summary.ts";
import { toText } from "./table.ts";

const outside: Case = {
  subject: "echo-stdio",
  revision: "2026-07-28",
  what: pathOf("echo-stdio"),
};

for (const { subject, revision = "2025-11-25", what } of [...serverCases, outside]) {
  test(`the server ${subject} lists one tool and echoes in ${revision}`, async () => {
    const text = 'One\n"two" – ' + "three".repeat(20_000);
    await using server = new Subject(nodeCommand("anywhere", what));
    await open(server, revision);
    const list = await ask(server, listRequest(3, revision));
    const echo = await ask(server, echoRequest(4, revision, text));

    const [tool] = toRecord(list.result)["tools"] as readonly { name: string }[];
    assert.equal(tool?.name, "echo");
    checkEcho(echo.result, text);
  });
}

for (const each of clientCases) {
  test(`the client ${each.subject} calls in ${each.revision}`, async () => {
    const rates = await driveClient(each, { flights: [1, 4], warmMs: 1, runMs: 20 });
    assert.deepEqual(Object.keys(rates), ["one", "many"]);
  });
}

test("EchoPump answers as many calls as it was asked for, more than its rings hold", async () => {
  await using server = new Subject(nodeCommand("anywhere", pathOf("bare")));
  await open(server, "2026-07-28");
  const pump = await EchoPump.create(server, "2026-07-28");
  await pump.run(64, 2_500);
  assert.equal(pump.answered, 2_500);
  await pump.run(1, 10);
  assert.equal(pump.answered, 2_510);
});

test("EchoPump refuses a reply that differs from the first in one byte", async () => {
  const wrongOnce = `
    let count = 0;
    process.stdin.setEncoding("utf8").on("data", (lines) => {
      for (const line of lines.trim().split("\\n")) {
        const { id } = JSON.parse(line);
        count += 1;
        process.stdout.write(JSON.stringify({ id, result: count === 5 ? "y" : "x" }) + "\\n");
      }
    });`;
  await using server = new Subject([process.execPath, "-e", wrongOnce]);
  const pump = await EchoPump.create(server, "2026-07-28");
  await assert.rejects(pump.run(1, 10), /^Error: Wrong reply: .*"y"/);
});

test("ask() fails with the words of a server that exits", async () => {
  await using server = new Subject([process.execPath, "-e", "throw new Error('no such luck')"]);
  await assert.rejects(ask(server, listRequest(1, "2026-07-28")), /no such luck/);
});

test("median() is the middle of the values in order", () => {
  assert.equal(median([]), undefined);
  assert.equal(median([5]), 5);
  assert.equal(median([10, 9, 1]), 9);
  assert.equal(median([4, 100, 1, 2]), 3);
});

test("medianRatio() divides within each round and leaves incomplete rounds out", () => {
  assert.equal(medianRatio([10, 200, 30], [10, 100, 10]), 2);
  assert.equal(medianRatio([10, undefined, 30], [10, 100, undefined]), 1);
  assert.equal(medianRatio([1], [0]), undefined);
  assert.equal(medianRatio([], []), undefined);
});

test("percentile() is the smallest value that a share of them does not exceed", () => {
  assert.equal(percentile([], 0.99), undefined);
  assert.equal(percentile([7], 0.99), 7);
  assert.equal(percentile([3, 1, 2], 0.5), 2);
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile(hundred, 1), 100);
});

const order: string[] = [];
const steady: Bench = {
  name: "steady",
  title: "Steady",
  figures: [
    {
      id: "time",
      title: "time",
      unit: "ms",
      digits: 1,
      goal: { of: "ratio", is: "≤", limit: 1.5 },
    },
  ],
  cases: [
    { subject: "bare", what: "2000" },
    { subject: "genkan", what: "3000" },
    { subject: "other", what: "fails" },
  ],
  rounds: 2,
  warmUps: 0,
  isPinned: false,
  measure: async ({ what }) => {
    order.push(what);
    if (what === "fails") throw new Error("It is tired");
    return { time: Number(what) };
  },
};

test("runRounds() reverses every other round, and summarize() tells figure, ratio, goal and failure", async () => {
  const results = await runRounds(steady, steady.cases, steady.rounds);
  assert.deepEqual(order, ["2000", "3000", "fails", "3000", "2000"]);
  assert.equal(
    toText(summarize(steady, results)),
    `
Steady; medians of 2 rounds
subject  time, ms (goal: ≤ 1.5 × bare)
bare     2 000.0
genkan   3 000.0 = 1.50 × bare, met
other    –
Failed: other: It is tired`.trim(),
  );
});

test("parseCommandLine() takes names, rounds and subjects, and refuses what there is none of", () => {
  const wish = parseCommandLine(["steady", "--rounds", "7", "--only", "bare,genkan"], [steady]);
  assert.deepEqual(wish, {
    benches: [steady],
    rounds: 7,
    only: ["bare", "genkan"],
    isJson: false,
    isToBeWritten: false,
  });
  assert.deepEqual(parseCommandLine([], [steady]).benches, [steady]);
  const calls: Bench = { ...steady, name: "http-calls" };
  const family = [calls, { ...calls, name: "http-client" }, { ...calls, name: "httpd" }];
  assert.deepEqual(parseCommandLine(["http"], family).benches, family.slice(0, 2));

  const refused = [["speed"], ["--only", "sdk"], ["--rounds", "0"], ["--rounds", "1.5"]];
  for (const args of [...refused, ["steady", "--write"], ["--write", "--only", "bare"]])
    assert.throws(() => parseCommandLine(args, [steady]), /^Error: Cannot/);
});
