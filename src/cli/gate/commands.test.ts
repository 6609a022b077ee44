// The commands around a gated server, as people use them: real processes on one state folder at once.

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { readAll } from "../../../fixtures/read-all.ts";
import { genkan, startGenkan, type Ending } from "../../../fixtures/command-line.ts";
import { openHouse, serveHouse } from "../../../fixtures/gated-house.ts";
import { runProgram } from "../program.ts";
import { openScreen } from "../screen.ts";

test("a person allows a write beside the running server, sees it, takes it back, and proves the log", async () => {
  await using house = openHouse();
  const { file, folder } = house;
  const here = ["--config", file];
  const order = findOrder(join(folder, "shop.db"));
  await using server = await serveHouse(file);
  const cancel = (callId: string, id: number) =>
    server.call("cancel_order", { order: id, task_id: "t1", call_id: callId });

  assert.equal((await cancel("c1", order)).code, "grant_required");
  const given = await genkan(
    "grant",
    "t1",
    "--tools",
    "cancel_order",
    "--uses",
    "2",
    "--for",
    "10m",
    "--reason",
    "the customer called",
    ...here,
    "--json",
  );
  assert.equal(given.code, 0, given.stderr);
  const { id, standing, expiresAt, givenAt } = JSON.parse(given.stdout);
  assert.deepEqual([standing, Date.parse(expiresAt) - Date.parse(givenAt)], ["holds", 600_000]);
  assert.deepEqual((await cancel("c2", order)).data, { status: "cancelled" });
  assert.equal((await cancel("c3", 999_999)).code, "not_found");

  const [grants, traces, one, failed, records, head, verified, unproven] = await Promise.all([
    genkan("grants", "--all", ...here),
    genkan("trace", "--task", "t1", ...here),
    genkan("trace", "c3", ...here),
    genkan("trace", "--failed", "--json", ...here),
    genkan("audit", "--writes", "--since", "1h", "--json", ...here),
    genkan("audit", "head", ...here),
    genkan("audit", "verify", ...here),
    genkan("audit", "verify", "--expected-head", `1:${"0".repeat(64)}`, ...here),
  ]);
  assert.match(
    grants.stdout,
    new RegExp(
      `^${id}  used up  t1  cancel_order  any origin  anybody  2 of 2 used  until \\S+  by .+: the customer called\\n$`,
    ),
  );
  assert.deepEqual(
    linesOf(traces.stdout).map((line) => line.split(/ +/).slice(1, 3)),
    [
      ["grant_required", "cancel_order"],
      ["ok", "cancel_order"],
      ["not_found", "cancel_order"],
    ],
  );
  assert.match(
    one.stdout,
    /^call {7}c3$[^]*^arguments {2}\{"order":999999\}$[^]*^ {2}at \S+ ms {2}look {2}attempt 1 {2}ok/m,
  );
  assert.deepEqual(
    linesOf(failed.stdout).map((line) => JSON.parse(line).callId),
    ["c1", "c3"],
  );
  assert.deepEqual(
    linesOf(records.stdout)
      .map((line) => JSON.parse(line))
      .map(({ kind, code, grant }) => [kind, code, grant]),
    [
      ["decision", "grant_required", undefined],
      ["decision", "ok", id],
      ["outcome", "ok", id],
      ["decision", "ok", id],
      ["outcome", "not_found", id],
    ],
  );
  assert.match(head.stdout, /^6:[0-9a-f]{64}\n$/);
  assert.equal(verified.stdout, `The chain holds: 6 records; the head is ${head.stdout}`);
  assert.deepEqual([unproven.code, unproven.stdout], [7, ""]);
  assert.match(
    unproven.stderr,
    /^The audit record 1 breaks the chain: its hash is not the expected one/,
  );

  await genkan("grant", "t1", "--tools", "cancel_order", "--reason", "again", ...here);
  const revoked = await genkan("revoke", "t1", "--reason", "a mistake", ...here, "--json");
  assert.deepEqual(
    linesOf(revoked.stdout).map((line) => JSON.parse(line).standing),
    ["revoked", "revoked"],
  );
  assert.equal((await cancel("c4", order)).code, "grant_required");
  const [shown, empty] = await Promise.all([genkan("audit", ...here), genkan("grants", ...here)]);
  assert.match(shown.stdout, /^2 .+ grant .+ t1 {2}given {2}/m);
  assert.match(shown.stdout, /^8 .+ grant .+ t1 {2}revoked {2}/m);
  assert.deepEqual(
    [empty.code, empty.stdout, empty.stderr],
    [0, "", "No grant holds now; --all lists the others\n"],
  );
  assert.equal(await server.end(), 0);
});

test("--follow goes on with calls that come, and ends with 130 at Ctrl-C", async () => {
  await using house = openHouse();
  await using server = await serveHouse(house.file);
  await server.call("find_orders", { customer: "a", limit: 1 });
  const child = startGenkan({ words: ["trace", "--follow", "--json", "--config", house.file] });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null");
  assert.equal((await next()).summary, 'customer="a" limit=1');
  for (const [customer, code] of [
    ["b", "ok"],
    ["", "invalid_arguments"],
  ] as const) {
    await server.call("find_orders", { customer });
    const seen = await next();
    assert.deepEqual([seen.code, seen.tool], [code, "find_orders"]);
  }
  child.kill("SIGINT");
  assert.deepEqual(await ended, [130, null]);
});

test("--follow shows a write while it runs, and again when it has ended; a changed log is found out", async () => {
  const toolsText = `
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "genkan/gate";
export const openDoor = ({}, { folder }) => [defineTool({ name: "wait", description: "Waits", risk: "write", output: { type: "object" },
  input: { type: "object", properties: {}, additionalProperties: false },
  run: async () => { while (!existsSync(folder + "/go")) await sleep(5); return {}; } })];`;
  const config = "name: a\ndoors: { a: { kind: module, path: tools.mjs } }\n";
  await using house = openHouse({ "tools.mjs": toolsText, "wait.yaml": config });
  const here = ["--config", join(house.folder, "wait.yaml")];
  await using server = await serveHouse(join(house.folder, "wait.yaml"));
  const granted = await genkan("grant", "t", "--tools", "wait", "--reason", "r", ...here);
  assert.equal(granted.code, 0, granted.stderr);
  const child = startGenkan({ words: ["trace", "--follow", "--json", ...here] });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const running = server.call("wait", { task_id: "t", call_id: "c" });
  const codes: unknown[] = [];
  for (let seen = 0; seen < 2; seen++) {
    codes.push(JSON.parse((await lines.next()).value ?? "null").code);
    writeFileSync(join(house.folder, "go"), "");
  }
  assert.deepEqual([(await running).code, codes], ["ok", [undefined, "ok"]]);
  child.kill("SIGINT");
  assert.deepEqual(await ended, [130, null]);

  {
    using database = new DatabaseSync(join(house.folder, ".genkan", "state.db"), { timeout: 5000 });
    database.exec("DROP TRIGGER audit_is_append_only");
    database.exec(
      `UPDATE audit_record SET body = replace(body, '"tool":"wait"', '"tool":"look"') WHERE seq = 2`,
    );
  }
  const broken = await genkan("audit", "verify", "--json", ...here);
  assert.equal(broken.code, 7);
  assert.partialDeepStrictEqual(JSON.parse(broken.stdout), { ok: false, records: 1, seq: 2 });
});

describe("replay", () => {
  const toolsText = `
import { defineTool, ToolFailure } from "genkan/gate";
const input = { type: "object", properties: { text: { type: "string", maxLength: 50 } }, additionalProperties: false };
const output = { type: "object", properties: {} };
export const openDoor = ({ isDown }) => ({ tools: ["read", "write"].map((risk) => defineTool({ name: risk, description: "Does", risk, input, output,
  run: (_, call) => call.step("reach", () => { if (isDown) throw new ToolFailure("unavailable", "It is down"); return {}; }) })) });`;
  const configOf = (isDown: boolean) =>
    `name: a\nstate: state-${isDown}\ndoors: { a: { kind: module, path: tools.mjs, options: { isDown: ${isDown} } } }\n`;

  test("runs a failed call again against the same doors or others, a write by a grant alone", async () => {
    await using house = openHouse({
      "tools.mjs": toolsText,
      "down.yaml": configOf(true),
      "up.yaml": configOf(false),
    });
    const [down, up] = ["down.yaml", "up.yaml"].map((name) => join(house.folder, name));
    assert.ok(down !== undefined && up !== undefined);
    const state = ["--state", join(house.folder, "state-true")];
    await using server = await serveHouse(down);
    const ids = { task_id: "t", call_id: "w" };
    assert.equal(
      (await server.call("read", { text: "x", task_id: "t", call_id: "r" })).code,
      "unavailable",
    );
    assert.equal((await server.call("write", ids)).code, "grant_required");

    const [same, other, refused, unknown] = await Promise.all([
      genkan("replay", "r", "--config", down, ...state),
      genkan("replay", "r", "--config", up, ...state, "--json"),
      genkan("replay", "w", "--config", down, ...state),
      genkan("replay", "nothing", "--config", down, ...state),
    ]);
    assert.equal(same.code, 4, same.stderr);
    assert.match(
      same.stdout,
      /^code +unavailable +unavailable$[^]*^step reach +unavailable.*unavailable.*$[^]*^Both went the same way$/m,
    );
    assert.equal(other.code, 0, other.stderr);
    const { envelope, differences, after } = JSON.parse(other.stdout);
    assert.deepEqual(
      [envelope.ok, after.taskId, differences.includes("code: unavailable → ok")],
      [true, "t", true],
    );
    assert.equal(refused.code, 4, refused.stderr);
    assert.match(
      refused.stderr,
      /^It failed again: grant_required: No grant allows "write" for the task "t"\n {2}hint: .+genkan grant t /,
    );
    assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
    assert.match(
      unknown.stderr,
      /^Cannot replay "nothing": there is no trace of it, .+\n {2}hint: genkan trace --failed\n$/,
    );

    const granted = await genkan("grant", "t", "--tools", "write", "--reason", "try", ...state);
    assert.equal(granted.code, 0, granted.stderr);
    const again = await genkan("replay", "w", "--config", down, ...state);
    assert.match(again.stdout, /^code +grant_required +unavailable +≠$/m);
  });
});

describe("check", () => {
  test("says which tools, which risk, which limits, and what may be written where", async () => {
    await using house = openHouse();
    const [text, json] = await Promise.all([
      genkan("check", house.file),
      genkan("check", house.file, "--json"),
    ]);
    assert.deepEqual([text.code, text.stderr], [0, ""]);
    for (const line of [
      /^ {2}find_orders +read +door orders \(module\) +10000 ms, 600 a minute, 16 at once, 100000 bytes +limit at most 20$/m,
      /^ {2}cancel_order +write +door orders \(module\) +10000 ms, 10 a minute, /m,
      /^ {2}cancel_order {2}wherever the tool acts, at any hour; only by a grant:\n {6}genkan grant <task> --tools cancel_order /m,
      /^ {2}taskCalls +200 +set here$/m,
      /^ {2}taskMs +3600000 +by default$/m,
    ])
      assert.match(text.stdout, line);
    const { tools, ownLimits } = JSON.parse(json.stdout);
    assert.deepEqual(
      [tools.map(({ risk }: { risk: string }) => risk), ownLimits],
      [
        ["read", "write"],
        ["deadlineMs", "taskCalls"],
      ],
    );
  });
});

test("a grant is for tools that the configuration has; it makes the state, and says what it could not check", async () => {
  await using house = openHouse();
  const { file, folder } = house;
  const give = (tools: string, ...more: readonly string[]) =>
    genkan("grant", "t1", "--tools", tools, "--reason", "r", ...more);
  const odd = await give("find_orders,cancel_ordr", "--config", file);
  assert.deepEqual(
    [odd.code, odd.stderr],
    [
      1,
      `Cannot give a grant for the tool "cancel_ordr": ${file} has none of this name, did you mean "cancel_order"?\n  hint: genkan check\n`,
    ],
  );
  const state = join(folder, ".genkan");
  const early = await give("cancel_order", "--state", state);
  assert.equal(early.code, 6, "a state that no configuration names is not made");
  const given = await give("cancel_order", "--config", file);
  assert.deepEqual([given.code, given.stderr.includes("not checked")], [0, false], given.stderr);
  {
    await using server = await serveHouse(file);
    const ids = { task_id: "t1", call_id: "c1" };
    const order = findOrder(join(folder, "shop.db"));
    assert.equal((await server.call("cancel_order", { order, ...ids })).code, "ok");
  }
  const blind = await give("cancel_ordr", "--state", state);
  assert.equal(blind.code, 0);
  assert.match(blind.stderr, /^ {2}the names of the tools were not checked: no configuration/);
  writeFileSync(file, "name: a\ndoors: { a: { kind: module, path: none.ts } }\n");
  const shut = await give("cancel_order", "--config", file);
  assert.equal(shut.code, 0);
  assert.match(shut.stderr, /^ {2}the names of the tools were not checked: .+Cannot open the door/);
});

describe("what cannot be done is said", () => {
  const missing = ["--state", "/no/such/folder"];
  const cases: readonly (readonly [words: readonly string[], code: number, stderr: RegExp])[] = [
    [
      ["trace", ...missing],
      6,
      /^Cannot open the state "\/no\/such\/folder\/state\.db": there is none/,
    ],
    [
      ["grant", "t", "--tools", "a", ...missing],
      1,
      /required option '--reason <text>' not specified/,
    ],
    [
      ["grant", "a b", "--tools", "a", "--reason", "r"],
      1,
      /^Cannot give a grant for "a b": it is no task_id/,
    ],
    [
      ["grant", "t", "--tools", "a;b", "--reason", "r"],
      1,
      /^Cannot give a grant for the tools "a;b"/,
    ],
    [
      ["grant", "t", "--tools", "a", "--for", "soon", "--reason", "r"],
      1,
      /^Cannot take "soon" for a duration: .+\n {2}hint: 10m\n$/,
    ],
    [
      ["grant", "t", "--tools", "a", "--origin", "https://a.example/x", "--reason", "r"],
      1,
      /\n {2}hint: --origin https:\/\/a\.example\n$/,
    ],
    [
      ["grant", "t", "--tools", "a", "--uses", "5000", "--reason", "r"],
      1,
      /^Cannot give the grant: its uses is 5000, expected a whole number from 1 to 1000\n/,
    ],
    [
      ["grant", "t", "--tools", "a", "--for", "8d", "--reason", "r"],
      1,
      /^Cannot give the grant: its forMs is 691200000/,
    ],
    [
      ["revoke", "nothing", "--reason", "r"],
      1,
      /^Cannot revoke "nothing": .+\n {2}hint: genkan grants\n$/,
    ],
    [["trace", "nothing"], 1, /^Cannot show the call "nothing": there is no trace of it/],
    [["audit", "proof"], 1, /expected show, verify, head/],
    [
      ["audit", "verify", "--task", "t"],
      1,
      /^Cannot run "genkan audit verify": --task is given, expected it with show\n/,
    ],
    [["audit", "verify", "--expected-head", "x"], 1, /^Cannot read the head "x"/],
    [["audit", "--since", "yesterday"], 1, /^Cannot take "yesterday" for a time/],
  ];
  test("with the right exit code, a sentence and something to type", async () => {
    await using house = openHouse();
    {
      const server = await serveHouse(house.file); // it makes the state
      await server.end();
    }
    const state = ["--state", join(house.folder, ".genkan")];
    for (const [words, code, stderr] of cases) {
      const ending = await runHere([...words, ...(words.includes("--state") ? [] : state)]);
      assert.deepEqual([ending.code, ending.stdout], [code, ""], words.join(" "));
      assert.match(ending.stderr, stderr);
    }
  });
});

function findOrder(path: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  return Number(
    database.prepare("SELECT id FROM orders WHERE status = 'paid' LIMIT 1").get()?.["id"],
  );
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split("\n");
}

/** Runs a command line in this process: a refusal needs none of its own. */
async function runHere(words: readonly string[]): Promise<Ending> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(words, openScreen({ stdout, stderr, environment: {} }));
  return { code, stdout: readAll(stdout), stderr: readAll(stderr) };
}
