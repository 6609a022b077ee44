// What holds on every way to a server: in memory and over HTTP, in every revision.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSubject, until, type Subject } from "../fixtures/http-subject.ts";
import { openHttpPeer, type Peer } from "../fixtures/http-wire.ts";
import { openPeer, versions, type Version } from "../fixtures/wire-script.ts";
import { serveHttp } from "../src/server/index.ts";

interface Way {
  readonly name: string;
  open(subject: Subject, version: Version, capabilities: object): Promise<Peer & AsyncDisposable>;
}

const memory: Way = {
  name: "in memory",
  open: async ({ server }, version, capabilities) => {
    const wire = await openPeer(server, version, capabilities);
    return {
      version,
      start: (...call) => wire.start(...call),
      next: () => wire.next(),
      answer: (id, result) => wire.say({ jsonrpc: "2.0", id, result }),
      notify: (...notification) => wire.notify(...notification),
      cancel: (id) => wire.notify("notifications/cancelled", { requestId: id }),
      rest: () => wire.rest(),
      close: () => wire.close(),
      [Symbol.asyncDispose]: () => wire.close(),
    };
  },
};

const http: Way = {
  name: "over HTTP",
  open: async ({ server }, version, capabilities) => {
    const service = await serveHttp(server);
    const peer = await openHttpPeer(service.url, version, capabilities);
    return {
      ...peer,
      [Symbol.asyncDispose]: async () => {
        await peer.close();
        await service.close();
      },
    };
  },
};

type Truth = (peer: Peer, subject: Subject) => Promise<void>;

const callTool = (peer: Peer, name: string, args: object = {}, more: object = {}) =>
  peer.start("tools/call", { name, arguments: args, ...more });
const textOf = async (peer: Peer): Promise<string> => {
  const reply = await peer.next();
  return reply.result?.content[0].text ?? JSON.stringify(reply);
};

const truths: Readonly<Record<string, Truth>> = {
  "every request gets one reply with its own id": async (peer) => {
    for (const id of [0, "", "0", -1, 2 ** 53 - 1, "é"]) {
      peer.start("tools/list", {}, id);
      assert.equal((await peer.next()).id, id);
    }
    assert.deepEqual(await peer.rest(), []);
  },

  "calls at the same time each get their own answer": async (peer) => {
    const texts = Array.from({ length: 30 }, (_, n) => `text ${n}`);
    const ids = texts.map((text) => callTool(peer, "echo", { text }));
    const answers = new Map<unknown, string>();
    for (let n = 0; n < ids.length; n++) {
      const { id, result } = await peer.next();
      answers.set(id, result.content[0].text);
    }
    assert.deepEqual(
      ids.map((id) => answers.get(id)),
      texts,
    );
  },

  "a notification gets no reply, known or not": async (peer) => {
    peer.notify("notifications/cancelled", { requestId: 99 });
    peer.notify("notifications/nobody/knows");
    assert.deepEqual(await peer.rest(), []);
  },

  "an unknown method is -32601, an unknown tool -32602": async (peer) => {
    peer.start("tools/fly");
    assert.equal((await peer.next()).error.code, -32601);
    callTool(peer, "nobody");
    assert.equal((await peer.next()).error.code, -32602);
  },

  "bad arguments are told in the way of the revision": async (peer) => {
    callTool(peer, "echo", { text: 1 });
    const { result, error } = await peer.next();
    if (peer.version >= "2025-11-25") assert.equal(result.isError, true);
    else assert.equal(error.code, -32602);
  },

  "a resource that is not there is told in the way of the revision": async (peer) => {
    peer.start("resources/read", { uri: "note://none" });
    assert.equal((await peer.next()).error.code, peer.version >= "2026-07-28" ? -32602 : -32002);
  },

  "progress comes before the reply, in order": async (peer) => {
    callTool(peer, "steps", {}, { _meta: { progressToken: "p" } });
    for (const progress of [1, 2, 3]) assert.equal((await peer.next()).params.progress, progress);
    assert.equal(await textOf(peer), "3");
  },

  "a failure that can be mended is told, one that cannot is not": async (peer, { reports }) => {
    callTool(peer, "fail");
    assert.equal((await peer.next()).result.isError, true);
    callTool(peer, "break");
    const { error } = await peer.next();
    assert.deepEqual(error, { code: -32603, message: "Internal error" });
    assert.match(reports.join("\n"), /the inner secret/);
  },

  "a tool asks the person, where the revision can": async (peer) => {
    callTool(peer, "ask");
    if (peer.version < "2025-06-18") {
      assert.equal((await peer.next()).result.isError, true);
    } else if (peer.version === "2026-07-28") {
      const { inputRequests, requestState } = (await peer.next()).result;
      const [key = ""] = Object.keys(inputRequests);
      const inputResponses = { [key]: { action: "accept", content: { name: "Aki" } } };
      peer.start("tools/call", { name: "ask", arguments: {}, requestState, inputResponses });
      assert.equal(await textOf(peer), "accept Aki");
    } else {
      const question = await peer.next();
      assert.equal(question.method, "elicitation/create");
      peer.answer(question.id, { action: "accept", content: { name: "Aki" } });
      assert.equal(await textOf(peer), "accept Aki");
    }
  },

  "a cancelled call ends without a reply, and tells its tool": async (peer, subject) => {
    const id = callTool(peer, "wait");
    await until("it runs", () => subject.waiting() === 1);
    peer.cancel(id);
    await until("it is cancelled", () => subject.cancelled.length === 1);
    callTool(peer, "echo", { text: "still here" });
    assert.equal(await textOf(peer), "still here");
    assert.deepEqual(await peer.rest(), []);
  },

  "a change of the tools is told to whoever asked to know": async (peer, { server }) => {
    if (peer.version === "2026-07-28") {
      peer.start("subscriptions/listen", { notifications: { toolsListChanged: true } });
      assert.equal((await peer.next()).method, "notifications/subscriptions/acknowledged");
    }
    server.addTool({ name: "later", run: () => "" });
    assert.equal((await peer.next()).method, "notifications/tools/list_changed");
    assert.deepEqual(await peer.rest(), []);
  },

  "nothing is said that the revision does not know": async (peer) => {
    peer.start("tools/list");
    const { result } = await peer.next();
    assert.equal("resultType" in result, peer.version === "2026-07-28");
    assert.equal("ttlMs" in result, peer.version === "2026-07-28");
    callTool(peer, "echo", { text: "x" });
    assert.equal("resultType" in (await peer.next()).result, peer.version === "2026-07-28");
  },
};

for (const way of [memory, http])
  for (const version of versions)
    describe(`${way.name}, ${version}`, () => {
      for (const [what, holds] of Object.entries(truths))
        test(what, { timeout: 5000 }, async () => {
          const subject = createSubject();
          await using peer = await way.open(subject, version, { elicitation: {} });
          await holds(peer, subject);
        });
    });
