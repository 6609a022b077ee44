// What the client makes of every misbehaviour the crooked server knows: works all the same, or fails and says what was seen.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { knobs } from "../../fixtures/servers/crooked.ts";
import {
  ClientError,
  connect,
  type Client,
  type ClientErrorCode,
  type ConnectOptions,
  type Report,
} from "./index.ts";

interface Expected {
  readonly code: ClientErrorCode;
  /** What the error's text must contain. */
  readonly words: readonly string[];
}

interface Row {
  /** What connecting ends with; absent where it succeeds. */
  readonly connect?: Expected;
  readonly revision?: string;
  /** How many tools are listed, or why none; 3 where absent. */
  readonly list?: number | Expected;
  /** What calling `echo` with "hi" ends with; "hi" again where absent. */
  readonly call?: Expected;
  /** What it gives instead. */
  readonly content?: readonly unknown[];
  /** Another call, and what it ends with. */
  readonly also?: {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
  } & Expected;
  /** What the report has seen at the end. */
  readonly seen?: (report: Report) => boolean;
  readonly step?: string;
  readonly leftovers?: string;
  readonly options?: ConnectOptions;
}

const modern = { revision: "2026-07-28" } as const satisfies Row;
const legacy = { revision: "2025-11-25" } as const satisfies Row;
/** Behind buffering, whichever reply was pushed out first has decided. */
const eitherEra: Row = {};
const hasty: ConnectOptions = { startTimeoutMs: 1_600, probeTimeoutMs: 500 };
/** Long enough for a busy machine to start the server, where what it then says decides. */
const patient: ConnectOptions = { startTimeoutMs: 4_000, probeTimeoutMs: 1_500 };
const impatient: ConnectOptions = { timeoutMs: 400 };
const strays =
  (count: number) =>
  (report: Report): boolean =>
    report.strayLineCount >= count;
const remarks =
  (text: string) =>
  (report: Report): boolean =>
    report.remarks.some((remark) => remark.includes(text));
const fails = (code: ClientErrorCode, ...words: string[]): Expected => ({ code, words });
const failsToStart = (code: ClientErrorCode, ...words: string[]): Row => ({
  connect: fails(code, "Cannot connect to", ...words),
});

const rows: Readonly<Record<string, Row>> = {
  "exit-before-reply": failsToStart(
    "exited",
    "exited with code 3 before it replied",
    "initialize",
    "Cannot find module 'left-pad'",
  ),
  "killed-by-signal": failsToStart("exited", "was ended by SIGKILL"),
  "usage-on-stdout": failsToStart("exited", "exited with code 0", "Usage: crooked <command>"),
  "needs-environment": failsToStart("exited", "code 1", "CROOKED_TOKEN is not set"),
  "needs-working-directory": failsToStart("exited", "code 2", "crooked.config.json"),
  "waits-on-terminal": {
    ...failsToStart("silent", "has said nothing", "Password:"),
    options: hasty,
  },
  "download-progress": { ...modern, seen: strays(3) },
  "build-output": { ...modern, seen: strays(3) },
  "slow-start": { ...failsToStart("silent", "has said nothing within"), options: hasty },

  "banner-first": { ...modern, seen: strays(1) },
  "banner-between": { ...modern, seen: strays(3) },
  "banner-during-call": { ...modern, seen: strays(1) },
  "banner-at-exit": { ...modern, seen: strays(1) },
  "banner-glued": { ...modern, seen: (report) => report.faults[0]?.name === "text-before-message" },
  "ansi-colours": { ...modern, seen: strays(1) },
  "osc-title": { ...modern, seen: strays(1) },
  "blank-lines": {
    ...modern,
    seen: (report) => report.faultCount >= 3 && report.strayLineCount === 0,
  },
  "number-line": { ...modern, seen: strays(1) },
  "dated-line": { ...modern, seen: strays(1) },
  "log-object": { ...modern, seen: strays(1) },
  "object-dump": { ...modern, seen: strays(4) },
  "pretty-json": {
    ...failsToStart("polluted", "lines that are no message", 'the first: "{"'),
    options: patient,
  },
  "two-on-a-line": {
    ...modern,
    list: fails("protocol", "follows a whole JSON object"),
    call: fails("protocol", "follows a whole JSON object"),
  },
  "top-level-array": failsToStart("protocol", "its reply stands inside an array"),
  "null-line": { ...modern, seen: strays(1) },

  bom: { ...modern, seen: (report) => report.faults[0]?.name === "byte-order-mark" },
  crlf: { ...modern, seen: (report) => report.faults[0]?.name === "carriage-return" },
  "raw-u2028": modern,
  "invalid-utf8-line": { ...modern, seen: strays(1) },
  "invalid-utf8-in-reply": {
    ...modern,
    list: fails("protocol", "its reply is faulty", "0xc3", "not UTF-8"),
  },
  "code-page-1252": {
    ...modern,
    list: fails("protocol", "its reply is faulty", "0xe9", "not UTF-8"),
  },
  utf16: { ...failsToStart("polluted", "no message"), options: patient },
  "lone-surrogate": modern,
  "nul-before-message": failsToStart(
    "protocol",
    "its reply is faulty",
    "stands before the message",
  ),
  "content-length": failsToStart("protocol", "Content-Leng"),
  "content-length-newline": { ...modern, seen: (report) => report.faultCount > 0 },
  "no-newline": { ...failsToStart("polluted", "no newline"), options: patient },
  "last-line-unterminated": {
    ...modern,
    seen: (report) => report.faults[0]?.name === "unfinished-line",
  },
  "line-64-kib": modern,
  "line-1-mib": modern,
  "line-11-mib": modern,
  "split-characters": modern,

  "flush-at-end": { ...failsToStart("silent", "has said nothing"), options: hasty },
  "late-replies": {
    ...eitherEra,
    list: fails("timeout", "no reply within"),
    call: fails("timeout", "too late"),
    options: { ...hasty, startTimeoutMs: 10_000, ...impatient },
  },
  "held-until-next": {
    ...eitherEra,
    list: fails("timeout", "no reply within"),
    call: fails("timeout", "too late"),
    options: { ...hasty, startTimeoutMs: 10_000, ...impatient },
  },

  "notification-result": modern,
  "notification-error": modern,
  "notification-id-null": modern,
  "notification-null": modern,
  "notification-id-zero": modern,

  "id-as-string": failsToStart("protocol", "(a string), expected", "(a number)"),
  "id-as-number": modern,
  "id-float": modern,
  "id-always-zero": {
    ...failsToStart("protocol", "belonged to no call", "a result with the id 0"),
    options: patient,
  },
  "id-falsy-dropped": modern,
  "id-null": { ...failsToStart("protocol", "belonged to no call", '"id":null'), options: patient },
  "id-missing": {
    ...failsToStart("protocol", "belonged to no call", '"id" is absent'),
    options: patient,
  },
  "id-off-by-one": { ...failsToStart("protocol", "belonged to no call"), options: patient },
  "id-from-params": modern,
  "reply-twice": { ...modern, seen: (report) => report.duplicateReplies === 3 },
  "replies-exchanged": modern,
  "reply-unsolicited": { ...modern, seen: (report) => report.unknownReplies === 3 },

  "error-null": failsToStart("protocol", 'both "result" and "error" are there'),
  "extra-field": modern,
  "jsonrpc-missing": failsToStart("protocol", '"jsonrpc" is absent'),
  "jsonrpc-number": failsToStart("protocol", '"jsonrpc" is the number 2'),
  "error-code-string": { ...modern, call: fails("protocol", "its reply is faulty", '"-32603"') },
  "error-string": { ...modern, call: fails("protocol", "its reply is faulty", '"Internal error"') },
  "result-and-error": { ...modern, call: fails("protocol", 'both "result" and "error"') },

  "legacy-only": legacy,
  "modern-only": modern,
  "discover-exits": legacy,
  "discover-hangs": { ...legacy, options: { probeTimeoutMs: 500 } },
  "discover-wedges": { ...legacy, options: { probeTimeoutMs: 300, startTimeoutMs: 6_000 } },
  "discover-floods-stderr": { ...legacy, options: { probeTimeoutMs: 500 } },
  "discover-legacy-error": legacy,
  "discover-legacy-result": { ...legacy, seen: remarks("supportedVersions") },
  "discover-no-versions": { ...legacy, seen: remarks("supportedVersions") },
  "discover-no-capabilities": { ...modern, seen: remarks("capabilities") },
  "initialize-late-refused": modern,
  "modern-legacy-shapes": modern,
  "result-type-unknown": {
    ...modern,
    list: fails("protocol", '"sideways"'),
    call: fails("protocol", '"sideways"'),
  },

  "version-echoed": legacy,
  "version-never-existed": failsToStart("version", "2099-01-01", "2025-11-25"),
  "version-refused": { revision: "2024-11-05", seen: remarks("refused the version 2025-11-25") },
  "initialize-no-version": failsToStart("version", '"protocolVersion" that is absent'),
  "initialize-no-capabilities": { ...legacy, seen: remarks("capabilities") },
  "initialize-no-server-info": { ...legacy, seen: remarks("serverInfo") },
  "log-before-initialize": legacy,
  "ping-before-initialize": legacy,
  "roots-before-initialize": legacy,
  "ping-refused": legacy,
  "tools-unknown": {
    ...modern,
    list: fails("server-error", "-32601 (MethodNotFound)", "Method not found: tools/list"),
  },
  "prompts-unknown": modern,
  "tools-undeclared": modern,

  "schema-missing": { ...modern, list: 2, seen: remarks("left out") },
  "schema-null": { ...modern, list: 2, seen: remarks("left out") },
  "schema-empty": { ...modern, seen: remarks("inputSchema") },
  "schema-array": { ...modern, seen: remarks("inputSchema") },
  "schema-composition": modern,
  "schema-draft-07": modern,
  "schema-ref-dangling": modern,
  "schema-ref-network": modern,
  "output-missing": modern,
  "output-different": modern,

  "name-dot": modern,
  "name-slash": modern,
  "name-long": modern,
  "name-empty": modern,
  "name-missing": { ...modern, list: 2, seen: remarks("left out") },
  "name-twice": { ...modern, list: 4 },
  "order-changes": modern,
  "cursor-endless": { ...modern, list: fails("limit", "maxPages") },
  "cursor-repeats": { ...modern, list: fails("limit", "repeatedCursor", '"again"') },
  "cursor-empty": { ...modern, list: fails("limit", "repeatedCursor", '""') },
  "cursor-null": { ...modern, seen: remarks("nextCursor") },
  "description-null": modern,
  "description-missing": modern,
  "description-empty": modern,
  "unknown-tool-succeeds": modern,
  "bad-argument-kills": {
    ...modern,
    also: {
      tool: "echo",
      args: { text: 5 },
      ...fails("exited", "exited with code 1", "text.trim is not a function"),
    },
  },
  "exception-leaks": {
    ...modern,
    also: { tool: "fail", args: {}, ...fails("server-error", "-32603", "ECONNREFUSED") },
  },
  "result-empty": { ...modern, content: [], seen: remarks("neither") },
  "tools-null": { ...modern, list: fails("protocol", '"tools" is null, expected an array') },
  "tools-many": { ...modern, list: 10_000 },

  "ignores-end": { ...modern, step: "SIGTERM" },
  "ignores-end-and-sigterm": { ...modern, step: "SIGKILL" },
  "leaves-grandchild": { ...modern, leftovers: "SIGTERM" },
  "spins-at-end": { ...modern, step: "SIGTERM" },
  "epipe-storm": modern,
  "fills-stderr": {
    ...modern,
    seen: (report) => report.stderrBytes > 300_000 && report.stderrTail.length <= 65_536,
  },
  "drops-in-flight": modern,
  "blocks-on-slow": modern,
  "floods-notifications": modern,
  "floods-sampling": legacy,
  "never-reads": { ...failsToStart("silent", "has said nothing"), options: hasty },
};

const crooked = fileURLToPath(import.meta.resolve("../../fixtures/servers/crooked.ts"));

test("every knob of the crooked server has its row, and every row its knob", () => {
  assert.deepEqual(Object.keys(rows).toSorted(), knobs.map(({ name }) => name).toSorted());
});

test("the client and the crooked server", { concurrency: 6 }, async (t) => {
  const marker = `GENKAN_CROOKED_TEST=${process.pid}-${Math.random()}`;
  await Promise.all(
    Object.entries(rows).map(([name, row]) =>
      t.test(`${name}: ${describe(row)}`, () => meet(name, row, marker)),
    ),
  );
  assert.deepEqual(findProcesses(marker), [], "no process is left behind");
});

async function meet(knob: string, row: Row, marker: string): Promise<void> {
  const [variable = "", value] = marker.split("=");
  const target = {
    command: process.execPath,
    args: [crooked, "--knob", knob],
    env: { [variable]: value },
  };
  const times: ConnectOptions = {
    probeTimeoutMs: 10_000,
    startTimeoutMs: 25_000,
    timeoutMs: 20_000,
    closeGraceMs: 1_000,
    termGraceMs: 1_000,
  };
  const connecting = connect(target, { ...times, ...row.options });
  if (row.connect !== undefined) return expectFailure(connecting, row.connect);
  const client = await connecting;
  try {
    await use(client, row);
  } finally {
    const stopped = await client.close();
    assert.ok(stopped.kind === "process");
    if (row.step !== undefined) assert.equal(stopped.step, row.step);
    assert.equal(stopped.leftovers, row.leftovers ?? "none");
  }
  if (row.seen !== undefined)
    assert.ok(row.seen(client.report()), JSON.stringify(client.report(), null, 1));
}

async function use(
  client: Client,
  { revision, list = 3, call, content = [{ type: "text", text: "hi" }], also }: Row,
): Promise<void> {
  if (revision !== undefined) assert.equal(client.revision, revision);
  const listing = client.listTools();
  if (typeof list === "number") assert.equal((await listing).length, list);
  else await expectFailure(listing, list);
  const calling = client.callTool("echo", { text: "hi" });
  if (call === undefined) assert.deepEqual((await calling).content, content);
  else await expectFailure(calling, call);
  if (also !== undefined) await expectFailure(client.callTool(also.tool, also.args), also);
}

async function expectFailure(doing: Promise<unknown>, { code, words }: Expected): Promise<void> {
  const error: unknown = await doing.then(
    () => assert.fail(`expected a failure with the code ${code}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ClientError, String(error));
  assert.equal(error.code, code, error.message);
  for (const word of words)
    assert.ok(error.message.includes(word), `${JSON.stringify(word)} is not in: ${error.message}`);
}

function describe({ connect: connecting, list, call }: Row): string {
  if (connecting !== undefined) return `connecting fails, ${connecting.code}`;
  if (typeof list === "object") return `listing fails, ${list.code}`;
  return call === undefined ? "works" : `calling fails, ${call.code}`;
}

/** Lists the processes whose environment has the marker; nothing where there is no `/proc`. */
function findProcesses(marker: string): readonly string[] {
  let pids: readonly string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // not Linux
  }
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(marker);
    } catch {
      return false; // ended meanwhile, or another user's
    }
  });
}
