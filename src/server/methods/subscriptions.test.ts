import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  handshakeVersions,
  metaOf,
  openPeer,
  openWire,
  initializeParams,
} from "../../../fixtures/wire-script.ts";
import { createServer, type Limits, type Server } from "../index.ts";

const subscriptionId = "io.modelcontextprotocol/subscriptionId";

function makeServer(limits: Partial<Limits> = {}): Server {
  return createServer({ name: "s", version: "1", limits })
    .addResource({ uri: "a:", name: "a", read: () => "" })
    .addResourceTemplate({ uriTemplate: "b:{x}", name: "b", read: () => "" })
    .addPrompt({ name: "p", get: () => "" });
}

/** Changes one thing of each kind. */
function changeEverything(server: Server): void {
  server.addTool({ name: "t", run: () => "" }).addPrompt({ name: "q", get: () => "" });
  server.addResource({ uri: "c:", name: "c", read: () => "" });
  server.announceUpdate("a:");
  server.announceUpdate("b:1");
}

for (const version of handshakeVersions) {
  describe(version, () => {
    test("a client hears of changed lists, and of the resources it has subscribed to", async () => {
      const server = makeServer();
      const peer = await openPeer(server, version);
      assert.deepEqual((await peer.request("resources/subscribe", { uri: "b:1" })).result, {});
      changeEverything(server);
      const heard = await peer.rest();
      assert.deepEqual(
        heard.map(({ method, params }) => `${method} ${params.uri ?? ""}`).toSorted(),
        [
          "notifications/prompts/list_changed ",
          "notifications/resources/list_changed ",
          "notifications/resources/updated b:1",
          "notifications/tools/list_changed ",
        ],
      );
      assert.deepEqual((await peer.request("resources/unsubscribe", { uri: "b:1" })).result, {});
      server.announceUpdate("b:1");
      assert.deepEqual(await peer.rest(), []);
    });
  });
}

test("nothing is announced before the client has said that it is ready, nor to one that never opened", async () => {
  const server = makeServer();
  const wire = openWire(server);
  changeEverything(server);
  await wire.request("initialize", initializeParams("2025-11-25"));
  server.removeTool("t");
  assert.deepEqual(await wire.rest(), []);
  wire.notify("notifications/initialized");
  server.addTool({ name: "t", run: () => "" });
  assert.equal((await wire.next()).method, "notifications/tools/list_changed");
});

test("many changes of one turn are told once; a removal that removed nothing is not told", async () => {
  const server = makeServer();
  const peer = await openPeer(server, "2025-11-25");
  server
    .addTool({ name: "one", run: () => "" })
    .addTool({ name: "two", run: () => "" })
    .removeTool("one");
  assert.equal(server.removeTool("never"), false);
  assert.equal((await peer.rest()).length, 1);
});

test("subscribing to a resource that does not exist has the code of one that was not found", async () => {
  const peer = await openPeer(makeServer(), "2025-11-25");
  assert.deepEqual((await peer.request("resources/subscribe", { uri: "z:" })).error, {
    code: -32002,
    message: "Resource not found",
    data: { uri: "z:" },
  });
  assert.equal((await peer.request("resources/subscribe")).error.code, -32602);
  assert.deepEqual((await peer.request("resources/unsubscribe", { uri: "z:" })).result, {});
});

test("subscriptions end at maxSubscriptions, where one that is already there may be repeated", async () => {
  const peer = await openPeer(makeServer({ maxSubscriptions: 2 }), "2025-11-25");
  for (const uri of ["b:1", "b:2", "b:2"])
    assert.deepEqual((await peer.request("resources/subscribe", { uri })).result, {});
  assert.equal((await peer.request("resources/subscribe", { uri: "b:3" })).error.code, -32602);
  await peer.request("resources/unsubscribe", { uri: "b:1" });
  assert.deepEqual((await peer.request("resources/subscribe", { uri: "b:3" })).result, {});
});

describe("subscriptions/listen", () => {
  const all = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ["a:"],
  };

  test("is acknowledged first, and everything on it carries its id", async () => {
    const server = makeServer();
    const peer = await openPeer(server, "2026-07-28");
    for (const id of [0, "", "x"]) {
      peer.start("subscriptions/listen", { notifications: all }, id);
      assert.deepEqual(await peer.next(), {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: { _meta: { [subscriptionId]: id }, notifications: all },
      });
    }
    changeEverything(server);
    const heard = await peer.rest();
    for (const id of [0, "", "x"]) {
      const own = heard.filter(({ params }) => params._meta[subscriptionId] === id);
      assert.deepEqual(own.map(({ method }) => String(method)).toSorted(), [
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/tools/list_changed",
      ]);
    }
    assert.equal(heard.length, 12);
  });

  for (const [filter, methods] of [
    [{}, []],
    [{ toolsListChanged: false, promptsListChanged: "yes", resourcesListChanged: 1 }, []],
    [{ toolsListChanged: true }, ["notifications/tools/list_changed"]],
    [{ promptsListChanged: true }, ["notifications/prompts/list_changed"]],
    [{ resourcesListChanged: true }, ["notifications/resources/list_changed"]],
    [{ resourceSubscriptions: [] }, []],
    [{ resourceSubscriptions: ["b:1"] }, ["notifications/resources/updated"]],
  ] as const) {
    test(`carries of ${JSON.stringify(filter)} no more than was asked for`, async () => {
      const server = makeServer();
      const peer = await openPeer(server, "2026-07-28");
      peer.start("subscriptions/listen", { notifications: filter });
      await peer.next();
      changeEverything(server);
      assert.deepEqual(
        (await peer.rest()).map(({ method }) => method),
        methods,
      );
    });
  }

  test("leaves out of its acknowledgement what the server does not have", async () => {
    const peer = await openPeer(createServer({ name: "s", version: "1" }), "2026-07-28");
    peer.start("subscriptions/listen", { notifications: all });
    assert.deepEqual((await peer.next()).params.notifications, { toolsListChanged: true });
  });

  for (const notifications of [
    undefined,
    null,
    [],
    "all",
    { resourceSubscriptions: "a:" },
    { resourceSubscriptions: [1] },
    { resourceSubscriptions: ["a:1", "a:".padEnd(8193, "1")] },
  ]) {
    test(`with ${JSON.stringify(notifications)?.slice(0, 60)} is refused with -32602`, async () => {
      const peer = await openPeer(makeServer(), "2026-07-28");
      assert.equal(
        (await peer.request("subscriptions/listen", { notifications })).error.code,
        -32602,
      );
    });
  }

  test("ends without a reply when it is cancelled, also at once", async () => {
    const server = makeServer();
    const peer = await openPeer(server, "2026-07-28");
    for (const wait of [true, false]) {
      const id = peer.start("subscriptions/listen", { notifications: all });
      if (wait) await peer.next();
      peer.notify("notifications/cancelled", { requestId: id });
      await peer.rest();
      changeEverything(server);
      server.removeTool("t");
      server.removePrompt("q");
      server.removeResource("c:");
      assert.deepEqual(await peer.rest(), []);
      assert.equal(peer.session.listeners.size, 0);
    }
  });

  test("cancelled in the turn that asked for it, it does not stay open", async () => {
    const fresh = openWire(makeServer(), "2026-07-28");
    fresh.say(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "subscriptions/listen",
        params: { _meta: metaOf(), notifications: all },
      },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    );
    assert.ok((await fresh.rest()).every(({ id }) => id === undefined));
    assert.equal(fresh.session.listeners.size, 0);
  });

  test("ends with its result when the server ends", async () => {
    const server = makeServer();
    const peer = await openPeer(server, "2026-07-28");
    const id = peer.start("subscriptions/listen", { notifications: all });
    await peer.next();
    await server[Symbol.asyncDispose]();
    const { id: ended, result } = await peer.next();
    assert.equal(ended, id);
    assert.equal(result.resultType, "complete");
    assert.equal(result._meta[subscriptionId], id);
    server.announceUpdate("a:");
    assert.deepEqual(await peer.rest(), []);
  });

  test("counts itself and each of its resources to maxSubscriptions, over all streams of the connection", async () => {
    const peer = await openPeer(makeServer({ maxSubscriptions: 4 }), "2026-07-28");
    const listen = async (...uris: string[]) => {
      const id = peer.start("subscriptions/listen", {
        notifications: { resourceSubscriptions: uris },
      });
      return { id, code: (await peer.next()).error?.code };
    };
    assert.equal((await listen("a:", "b:1", "b:2", "b:3")).code, -32602);
    const first = await listen("a:", "b:1");
    assert.equal(first.code, undefined);
    assert.equal((await listen("b:2")).code, -32602);
    assert.equal((await listen()).code, undefined);
    assert.equal((await listen()).code, -32602);
    peer.notify("notifications/cancelled", { requestId: first.id });
    assert.equal((await listen("a:", "b:1")).code, undefined);
  });
});
