import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPeer, versions } from "../../fixtures/wire-script.ts";
import { createServer, WireError, type Server } from "../index.ts";

const cycle: { self?: unknown } = {};
cycle.self = cycle;

/** What a tool may throw so that even telling of it is hard. */
const thrown: readonly (readonly [string, () => unknown])[] = [
  ["an error", () => new Error("inner text")],
  ["a WireError whose data is a cycle", () => new WireError(-32000, "told", { data: cycle })],
  ["a WireError whose data is a bigint", () => new WireError(-32000, "told", { data: 1n })],
  ["undefined", () => undefined],
  ["an object without a prototype", () => Object.create(null)],
  [
    "an error whose stack is no text",
    () => Object.assign(new Error("inner text"), { stack: Object.create(null) }),
  ],
  [
    "an error whose stack is a trap",
    () =>
      Object.defineProperty(new Error("inner text"), "stack", {
        get: () => {
          throw new Error("trapped");
        },
      }),
  ],
  ["a proxy that refuses everything", () => new Proxy({}, { get: () => assert.fail("read") })],
];

/** What a tool may give that JSON cannot carry. */
const unsayable: readonly (readonly [string, unknown])[] = [
  ["a cycle", cycle],
  ["a bigint", 1n],
  [
    "a toJSON that throws",
    {
      toJSON: () => {
        throw new Error("inner text");
      },
    },
  ],
];

function makeServer(report: (text: string) => void, run: () => unknown): Server {
  const server = createServer({ name: "t", version: "1", report });
  server.addTool({ name: "now", run });
  server.addTool({ name: "later", run: async () => run() });
  return server;
}

/** Calls both tools twice: the first call loads files and is always late, the second of `now` is not. */
async function expectLife(report: (text: string) => void, run: () => unknown): Promise<void> {
  for (const version of versions) {
    const peer = await openPeer(makeServer(report, run), version);
    for (const name of ["now", "now", "later", "later"]) {
      const { error } = await peer.request("tools/call", { name, arguments: {} });
      assert.equal(typeof error?.code, "number");
      assert.doesNotMatch(JSON.stringify(error), /inner text|trapped/);
    }
    const { result } = await peer.request("tools/list");
    assert.equal(result?.tools.length, 2);
  }
}

describe("the session outlives what a tool throws:", () => {
  for (const [what, make] of thrown) {
    test(what, () =>
      expectLife(
        () => {},
        () => {
          throw make();
        },
      ),
    );
  }
});

describe("the session outlives what a tool gives:", () => {
  for (const [what, value] of unsayable)
    test(what, () =>
      expectLife(
        () => {},
        () => value,
      ),
    );
});

test("the session outlives a reporter that fails", () =>
  expectLife(
    () => {
      throw new Error("the reporter failed");
    },
    () => {
      throw new Error("inner text");
    },
  ));
