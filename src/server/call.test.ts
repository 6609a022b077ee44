import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  initializeParams,
  metaOf,
  openPeer,
  versions,
  type Line,
} from "../../fixtures/wire-script.ts";
import { parseLine, type Arrival, type Outgoing } from "../protocol/index.ts";
import { AskError, createServer, type Context, type Server } from "./index.ts";

function makeServer(run: (context: Context) => unknown, logging = true): Server {
  return createServer({ name: "c", version: "1", logging, report: () => {} }).addTool({
    name: "work",
    run: (_args, context) => run(context),
  });
}

const work = { name: "work" };

describe("progress", () => {
  for (const version of versions) {
    test(`is told before the reply, with a message where the revision has one (${version})`, async () => {
      const server = makeServer((context) => {
        context.progress(1, 2, "half");
        context.progress(2);
        return "done";
      });
      const peer = await openPeer(server, version);
      for (const progressToken of [0, "", "token"]) {
        peer.start("tools/call", { ...work, _meta: { progressToken } });
        const first = { progressToken, progress: 1, total: 2 };
        const message = version === "2024-11-05" ? {} : { message: "half" };
        assert.deepEqual((await peer.next()).params, { ...first, ...message });
        assert.deepEqual(await peer.next(), {
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken, progress: 2 },
        });
        assert.equal((await peer.next()).result.content[0].text, "done");
      }
    });
  }

  test("that does not grow, or is no number, is not sent", async () => {
    const server = makeServer((context) => {
      for (const value of [-1, 0, 0, 0.5, 0.4, NaN, Infinity, -Infinity, 3, 3, 2])
        context.progress(value, Infinity);
    });
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", { ...work, _meta: { progressToken: 1 } });
    const heard = await peer.rest();
    assert.deepEqual(
      heard.slice(0, -1).map(({ params }) => params.progress),
      [-1, 0, 0.5, 3],
    );
    assert.ok(heard.slice(0, -1).every(({ params }) => !("total" in params)));
  });

  test("is not sent without a token, nor for one that is neither text nor integer", async () => {
    const peer = await openPeer(
      makeServer((context) => context.progress(1)),
      "2025-11-25",
    );
    for (const _meta of [
      {},
      { progressToken: null },
      { progressToken: 1.5 },
      { progressToken: {} },
    ])
      assert.ok("result" in (await peer.request("tools/call", { ...work, _meta })));
  });

  test("and logs end with the reply", async () => {
    let late: (() => void) | undefined;
    const server = makeServer((context) => {
      late = () => {
        context.progress(5);
        context.log("error", "late");
      };
    });
    const peer = await openPeer(server, "2025-11-25");
    await peer.request("tools/call", { ...work, _meta: { progressToken: 1 } });
    late?.();
    assert.deepEqual(await peer.rest(), []);
  });
});

describe("logging", () => {
  const logEverything = (context: Context): void => {
    context.log("debug", "a");
    context.log("info", { b: 1 }, "here");
    context.log("error", null);
  };
  const levels = (heard: readonly Line[]): readonly string[] =>
    heard.slice(0, -1).map(({ params }) => params.level);

  test("in the handshake era follows logging/setLevel, from info on until then", async () => {
    const peer = await openPeer(makeServer(logEverything), "2025-11-25");
    peer.start("tools/call", work);
    const heard = await peer.rest();
    assert.deepEqual(heard.slice(0, -1), [
      {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "info", logger: "here", data: { b: 1 } },
      },
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "error", data: null } },
    ]);
    for (const [level, expected] of [
      ["debug", ["debug", "info", "error"]],
      ["error", ["error"]],
      ["emergency", []],
    ] as const) {
      assert.deepEqual((await peer.request("logging/setLevel", { level })).result, {});
      peer.start("tools/call", work);
      assert.deepEqual(levels(await peer.rest()), expected);
    }
    for (const level of ["loud", "", null, 3, undefined, "__proto__"])
      assert.equal((await peer.request("logging/setLevel", { level })).error.code, -32602);
  });

  test("in the stateless era follows the request, and is silent unless asked for", async () => {
    const peer = await openPeer(makeServer(logEverything), "2026-07-28");
    peer.start("tools/call", work);
    assert.deepEqual(levels(await peer.rest()), []);
    peer.start("tools/call", { ...work, _meta: { "io.modelcontextprotocol/logLevel": "info" } });
    assert.deepEqual(levels(await peer.rest()), ["info", "error"]);
    peer.start("tools/call", work);
    assert.deepEqual(levels(await peer.rest()), []);
  });

  test("that the server does not declare does not exist", async () => {
    for (const version of versions) {
      const peer = await openPeer(makeServer(logEverything, false), version);
      peer.start("tools/call", { ...work, _meta: { "io.modelcontextprotocol/logLevel": "debug" } });
      assert.equal((await peer.rest()).length, 1);
      assert.equal((await peer.request("logging/setLevel", { level: "info" })).error.code, -32601);
    }
  });
});

describe("what JSON cannot carry", () => {
  test("is left out of progress and logs, and reported; the call goes on", async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const reports: string[] = [];
    const server = createServer({
      name: "c",
      version: "1",
      logging: true,
      report: (text) => reports.push(text),
    }).addTool({
      name: "work",
      run: (_args, { log, progress }) => {
        for (const data of [cycle, 1n, { a: 1n }]) log("error", data);
        progress(1, 2, 1n as unknown as string);
        log("error", "told");
        return "done";
      },
    });
    for (const version of versions.slice(1)) {
      const peer = await openPeer(server, version);
      const _meta = { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" };
      peer.start("tools/call", { ...work, _meta });
      const [told, reply, ...rest] = await peer.rest();
      assert.equal(told.params.data, "told");
      assert.equal(reply.result.content[0].text, "done");
      assert.deepEqual(rest, []);
      assert.equal(reports.splice(0).length, 4);
    }
  });
});

describe("a peer that does not read", () => {
  for (const [over, isTold] of [
    [-1, true],
    [0, true],
    [1, false],
  ] as const) {
    test(`is ${isTold ? "" : "not "}told of progress and logs ${over} bytes from maxBacklogBytes, and gets its reply`, async () => {
      const server = createServer({
        name: "c",
        version: "1",
        logging: true,
        limits: { maxBacklogBytes: 1000 },
      }).addTool({
        name: "work",
        run: (_args, { log, progress }) => {
          progress(1);
          log("error", "told");
          return "done";
        },
      });
      for (const version of versions) {
        const sent: Outgoing[] = [];
        const session = server.openSession({
          backlog: 1000 + over,
          send: (message) => sent.push(message),
        });
        const _meta = metaOf({}, { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" });
        const lines = [
          { jsonrpc: "2.0", id: 1, method: "initialize", params: initializeParams(version) },
          {
            jsonrpc: "2.0",
            id: 2,
            method: "tools/call",
            params: { ...work, _meta: version === "2026-07-28" ? _meta : { progressToken: 1 } },
          },
        ];
        const arrivals: Arrival[] = [];
        for (const line of lines) parseLine(JSON.stringify(line), arrivals);
        for (const arrival of arrivals) session.receive(arrival);
        while (sent.at(-1)?.kind !== "result" || sent.length < 2) await new Promise(setImmediate);
        const told = sent.filter(({ kind }) => kind === "notification");
        assert.equal(told.length, isTold ? 2 : 0);
      }
    });
  }
});

describe("after its reply", () => {
  for (const version of versions) {
    test(`a tool asks nobody any more (${version})`, async () => {
      const failures: unknown[] = [];
      let ask: (() => Promise<unknown>) | undefined;
      const server = makeServer(({ elicit, sample, listRoots }) => {
        const question = {
          message: "?",
          requestedSchema: { type: "object", properties: {} },
        } as const;
        ask = () =>
          Promise.allSettled([
            elicit(question),
            sample({ messages: [], maxTokens: 1 }),
            listRoots(),
          ]).then((all) =>
            failures.push(...all.map((one) => (one as PromiseRejectedResult).reason)),
          );
        return "done";
      });
      const peer = await openPeer(server, version, { elicitation: {}, sampling: {}, roots: {} });
      assert.equal((await peer.request("tools/call", work)).result.content[0].text, "done");
      await ask?.();
      assert.deepEqual(await peer.rest(), []);
      assert.equal(failures.length, 3);
      assert.ok(failures.every((one) => one instanceof AskError));
    });
  }
});

describe("cancelling", () => {
  for (const version of versions) {
    test(`aborts the signal with the reason, and no reply comes (${version})`, async () => {
      const reasons: string[] = [];
      const server = makeServer(async (context) => {
        await new Promise<void>((resolve) =>
          context.signal.addEventListener("abort", () => resolve()),
        );
        reasons.push(context.signal.reason.message);
        context.progress(1);
        return "too late";
      });
      const peer = await openPeer(server, version);
      for (const [id, reason] of [
        [0, "Enough"],
        ["", undefined],
      ] as const) {
        peer.start("tools/call", { ...work, _meta: { progressToken: 1 } }, id);
        await peer.rest();
        peer.notify("notifications/cancelled", { requestId: id, reason });
        assert.deepEqual(await peer.rest(), []);
      }
      assert.deepEqual(reasons, ["Enough", "The caller cancelled"]);
    });
  }

  test("reaches a tool that looks at its signal only afterwards, and frees the id at once", async () => {
    const finish: (() => void)[] = [];
    const aborted: boolean[] = [];
    const server = makeServer(async (context) => {
      await new Promise<void>((resolve) => finish.push(resolve));
      aborted.push(context.signal.aborted);
      return "second";
    });
    const peer = await openPeer(server, "2025-11-25");
    peer.start("tools/call", work, 1);
    await peer.rest();
    peer.notify("notifications/cancelled", { requestId: 1 });
    peer.start("tools/call", work, 1);
    await peer.rest();
    for (const one of finish) one();
    assert.deepEqual(
      (await peer.rest()).map(({ id, result }) => [id, result.content[0].text]),
      [[1, "second"]],
    );
    assert.deepEqual(aborted, [true, false]);
  });

  test("a call in the turn that brought it starts nothing", async () => {
    let runs = 0;
    const peer = await openPeer(
      makeServer(() => ++runs),
      "2025-11-25",
    );
    peer.say(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    );
    assert.deepEqual(await peer.rest(), []);
    assert.equal(runs, 0);
  });

  test("what is over, unknown, of another type or initialize changes nothing", async () => {
    const peer = await openPeer(
      makeServer(() => "done"),
      "2025-11-25",
    );
    await peer.request("tools/call", work, 1);
    for (const requestId of [1, "1", 99, "opening", null, {}])
      peer.notify("notifications/cancelled", { requestId });
    assert.equal((await peer.request("tools/call", work, 1)).result.content[0].text, "done");
  });
});
