// What the gate adds to a call of a tool that does nothing, as published: prints one line of JSON.
//
// Each call goes through a session of the server, without a transport: what is left is the tool and what stands around it.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "genkan";
import { createFeatures, defineTool, openGate, openStateDesk, verifyAudit } from "genkan/gate";

const reads = Number(process.argv[2] ?? 40_000);
const writes = Number(process.argv[3] ?? 4_000);
const records = Number(process.argv[4] ?? 100_000);
const perTask = 500;
const endless = {
  callsPerMinute: Infinity,
  principalCalls: Infinity,
  principalMs: Infinity,
  principalBytes: Infinity,
};
const text = { type: "string", maxLength: 100 };
const input = {
  type: "object",
  properties: { text },
  required: ["text"],
  additionalProperties: false,
};
const run = (args) => ({ text: args.text });

/** Opens a server, gives its way to call a tool, and checks every reply. */
async function openServer(addTools) {
  const server = createServer({ name: "bench", version: "1" });
  addTools(server);
  let settle;
  const session = server.openSession({ send: (message) => settle?.(message) });
  let id = 0;
  const ask = (method, params) => {
    const { promise, resolve } = Promise.withResolvers();
    settle = resolve;
    session.receive({ kind: "request", id: ++id, method, params });
    return promise;
  };
  const clientInfo = { name: "bench", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  session.receive({ kind: "notification", method: "notifications/initialized" });
  return async (name, args) => {
    const { result } = await ask("tools/call", { name, arguments: { text: "hello", ...args } });
    const value = result?.structuredContent?.data ?? result?.structuredContent;
    if (value?.text !== "hello") throw new Error(`Wrong reply: ${JSON.stringify(result)}`);
  };
}

/** Gives the microseconds of a call, warmed by a quarter as many. */
async function time(count, call) {
  for (let n = 0; n < count / 4; n += 1) await call(`w${n}`);
  const startedAt = performance.now();
  for (let n = 0; n < count; n += 1) await call(n);
  return ((performance.now() - startedAt) * 1000) / count;
}

/** Runs the work with a gate on a state of its own, and adds the bytes of the state that is left. */
async function withGate(createAll, work) {
  const stateDir = mkdtempSync(join(tmpdir(), "genkan-bench-gate-"));
  const gate = openGate({ stateDir, limits: endless, features: createAll(stateDir) });
  try {
    for (let task = 0; task <= (2 * writes) / perTask; task += 1)
      gate.grants.give({
        task: `t${task}`,
        tools: ["write"],
        uses: 1000,
        reason: "bench",
        givenBy: "bench",
      });
    const call = await openServer((server) => {
      const common = { description: "Echoes", input, output: input, run };
      gate.addTo(server, [
        defineTool({ name: "read", risk: "read", ...common }),
        defineTool({ name: "write", risk: "write", ...common }),
      ]);
    });
    const figures = await work(call);
    await gate[Symbol.asyncDispose]();
    return { ...figures, bytes: statSync(join(stateDir, "state.db")).size };
  } finally {
    await gate[Symbol.asyncDispose]();
    rmSync(stateDir, { recursive: true });
  }
}

let written = 0;
const write = (call) => () => {
  written += 1;
  return call("write", {
    task_id: `t${Math.floor((written % (2 * writes)) / perTask)}`,
    call_id: `c${written}`,
  });
};

const callBare = await openServer((server) =>
  server.addTool({ name: "read", input, output: input, run }),
);
const bare = await time(reads, () => callBare("read"));
const plain = await withGate(
  () => [],
  async (call) => ({
    read: await time(reads, () => call("read")),
    ledger: await time(writes, write(call)),
  }),
);
const whole = await withGate(
  (stateDir) => createFeatures({ stateDir }),
  async (call) => ({
    write: await time(writes, write(call)),
    read: await time(writes, () => call("read")),
  }),
);
/** Gives the milliseconds of proving a chain of records as long as those of an audited read. */
function timeChain() {
  const folder = mkdtempSync(join(tmpdir(), "genkan-bench-chain-"));
  try {
    using desk = openStateDesk(folder, { isMade: true });
    const record = (n) => ({
      kind: "decision",
      at: 1_700_000_000_000 + n,
      trace_id: n.toString(16).padStart(32, "0"),
      principal: "local",
      door: "bench",
      tool: "read",
      risk: "read",
      task_id: `t${n}`,
      call_id: `c${n}`,
      code: "ok",
      args_sha256: "0".repeat(64),
    });
    desk.store.transact(() => {
      for (let n = 0; n < records; n += 1) desk.log.append(record(n));
    });
    const startedAt = performance.now();
    const verdict = verifyAudit(desk.store);
    if (!verdict.ok || verdict.records !== records)
      throw new Error(`Wrong verdict: ${JSON.stringify(verdict)}`);
    return performance.now() - startedAt;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

console.log(
  JSON.stringify({
    read: plain.read - bare,
    ledger: plain.ledger - bare,
    whole: whole.write - bare,
    audited: whole.read - bare,
    rate: 1e6 / whole.write,
    state: whole.bytes / 1000 / ((2 * 1.25 * writes) / 1000),
    chain: timeChain(),
  }),
);
