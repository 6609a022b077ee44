// The official client v2 (@modelcontextprotocol/client) calls our server in every revision and by every way of opening it has.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, specTypeSchemas } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { RawChild } from "../../fixtures/servers/raw-child.ts";
import { makeGuestV2, openings } from "./guest-v2.ts";
import { Recording, type Judge } from "./recording.ts";
import { isNotLateProgress, takeTour } from "../../fixtures/peer-tour.ts";

const schemas = new Map(Object.entries(specTypeSchemas));

const judge: Judge = (type, value) => {
  const schema = schemas.get(type);
  assert.ok(schema !== undefined, type);
  const { issues } = schema["~standard"].validate(value);
  return issues === undefined ? undefined : JSON.stringify(issues);
};

describe("@modelcontextprotocol/client", { concurrency: 2 }, () => {
  for (const [opening, [version, options]] of Object.entries(openings)) {
    test(`tours the server: ${opening}`, async (context) => {
      using recording = new Recording();
      const transport = new StdioClientTransport(recording.starting);
      const send = transport.send.bind(transport);
      transport.send = (message) => {
        recording.note(message);
        return send(message);
      };
      const { client, guest, errors } = makeGuestV2(version, options);
      context.after(() => client.close()); // also when the tour fails
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.equal(client.getServerVersion()?.name, "honest-genkan");
      assert.equal(client.getInstructions(), "Call echo");

      await takeTour(guest);
      await client.close();
      assert.deepEqual(errors.filter(isNotLateProgress), []);
      const messages = recording.check(judge);
      assert.equal(
        messages.some((message) => /"method":"elicitation/.test(JSON.stringify(message))),
        version >= "2025-06-18",
      );
    });
  }

  test("a subscription ends gracefully when the server does", async () => {
    using recording = new Recording();
    const transport = new StdioClientTransport(recording.starting);
    const client = new Client(
      { name: "peer", version: "2" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(transport);
    const { closed } = await client.listen({ toolsListChanged: true });
    assert.ok(transport.pid !== null);
    process.kill(transport.pid, "SIGTERM");
    assert.equal(await closed, "graceful");
    await client.close();
  });
});

test("the one line that the schemas refuse is the reply to what is not JSON: its id is null", async () => {
  // JSON-RPC 2.0, section 5: "If there was an error in detecting the id in the Request object, it MUST be Null." MCP's schema
  // has a text or a number there, and since 2025-11-25 nothing at all; a client that sent no readable id can wait for neither.
  await using child = new RawChild();
  await child.write("not JSON\n");
  const reply = await child.next();
  assert.equal(reply.id, null);
  assert.notEqual(judge("JSONRPCMessage", reply), undefined);
  assert.equal(judge("JSONRPCMessage", { ...reply, id: 0 }), undefined);
});
