import assert from "node:assert/strict";
import { test } from "node:test";
import type { CloseReport } from "../../client/index.ts";
import { readLine, type ReadLine } from "../transcript/read-line.ts";
import { judge, type Evidence } from "./verdict.ts";

const sent = (text: string): ReadLine =>
  readLine({ direction: "sent", bytes: Buffer.from(`${text}\n`) });
const received = (text: string): ReadLine =>
  readLine({ direction: "received", bytes: Buffer.from(`${text}\n`) });

const request = sent('{"jsonrpc":"2.0","id":1,"method":"ping"}');
const notification = sent('{"jsonrpc":"2.0","method":"notifications/initialized"}');
const reply = received('{"jsonrpc":"2.0","id":1,"result":{}}');
const close: Extract<CloseReport, { kind: "process" }> = {
  kind: "process",
  step: "stdin closed",
  leftovers: "none",
  exitCode: 0,
  signal: null,
  durationMs: 8.6,
  stderrTail: "",
};
const good: Evidence = {
  lines: [request, notification, reply],
  complaints: [],
  stderrTail: "",
  close,
};

test("judge() finds a session good in which all is well", () => {
  assert.deepEqual(
    judge(good).map(({ isGood, text }) => [isGood, text]),
    [
      [true, "1 line, each one protocol message"],
      [true, "1 request and 1 notification sent, 1 reply came, one to each request"],
      [true, "each one gave what it should"],
      [true, "nothing"],
      [true, "by itself when its stdin was closed, exit code 0, after 9 ms"],
    ],
  );
});

const bad: readonly (readonly [
  what: string,
  evidence: Partial<Evidence>,
  about: string,
  text: RegExp,
])[] = [
  [
    "a banner on stdout",
    { lines: [...good.lines, received("ready")] },
    "stdout",
    /^1 of 2 lines not one protocol message, the first: "ready" at byte 0/,
  ],
  [
    "CR LF",
    { lines: [request, { ...received('{"jsonrpc":"2.0","id":1,"result":{}}\r') }] },
    "stdout",
    /^1 of 1 line not one/,
  ],
  [
    "a last line without its end",
    {
      lines: [
        request,
        readLine({
          direction: "received",
          bytes: Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'),
        }),
      ],
    },
    "stdout",
    /no newline$/,
  ],
  [
    "bytes that are not UTF-8",
    {
      lines: [
        request,
        readLine({
          direction: "received",
          bytes: Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":"\u00FC"}}\n', "latin1"),
        }),
      ],
    },
    "stdout",
    /not UTF-8$/,
  ],
  [
    "a batch",
    { lines: [request, received('[{"jsonrpc":"2.0","id":1,"result":{}}]')] },
    "stdout",
    /an array of messages$/,
  ],
  [
    "a reply to a notification",
    {
      lines: [
        ...good.lines,
        received('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'),
      ],
    },
    "replies",
    /^1 request and 1 notification sent, 2 replies came, expected one to each request$/,
  ],
  ["a request without a reply", { lines: [request] }, "replies", /0 replies came, expected/],
  [
    "a reply to another id",
    { lines: [request, received('{"jsonrpc":"2.0","id":"1","result":{}}')] },
    "replies",
    /1 reply came, expected/,
  ],
  [
    "a call that gave the wrong thing",
    { complaints: ["the bad status gave a good result"] },
    "calls",
    /^the bad status/,
  ],
  ["an exit code", { close: { ...close, exitCode: 3 } }, "end", /exit code 3/],
  [
    "an end before stdin was closed",
    { close: { ...close, step: "already exited" } },
    "end",
    /^before its stdin/,
  ],
  [
    "an end by force",
    { close: { ...close, step: "SIGKILL", exitCode: null, signal: "SIGKILL" } },
    "end",
    /^only after SIGKILL, by SIGKILL/,
  ],
  [
    "a process left behind",
    { close: { ...close, leftovers: "SIGTERM" } },
    "end",
    /; what it had started was ended by SIGTERM$/,
  ],
];

for (const [what, evidence, about, text] of bad) {
  test(`judge() finds ${what}`, () => {
    const findings = judge({ ...good, ...evidence }).filter(({ isGood }) => !isGood);
    assert.deepEqual(
      findings.map((finding) => finding.about),
      [about],
    );
    assert.match(findings[0]?.text ?? "", text);
  });
}

test("judge() counts the lines of stderr and does not mind them", () => {
  const finding = judge({ ...good, stderrTail: "one\ntwo\n" })[3];
  assert.deepEqual(finding, { about: "stderr", isGood: true, text: "2 lines, shown above" });
});

test("judge() has nothing against a server that was not started for the session", () => {
  const finding = judge({ ...good, close: { kind: "connection", durationMs: 1 } })[4];
  assert.deepEqual(finding, {
    about: "end",
    isGood: true,
    text: "the connection is closed, the server lives on",
  });
});
