// The official client v1 (@modelcontextprotocol/sdk) calls our server in every revision it speaks.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import { makeGuestV1, offer } from "./guest-v1.ts";
import { Recording, type Judge } from "./recording.ts";
import { isNotLateProgress, takeTour } from "../../fixtures/peer-tour.ts";

const schemas = new Map<string, unknown>(Object.entries(types));

const judge: Judge = (type, value) => {
  const schema = schemas.get(`${type}Schema`) as typeof types.JSONRPCMessageSchema | undefined;
  assert.ok(schema !== undefined, type);
  return schema.safeParse(value).error?.message;
};

describe("@modelcontextprotocol/sdk", { concurrency: 2 }, () => {
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    test(`tours the server in ${version}`, async (context) => {
      using recording = new Recording();
      const transport = new StdioClientTransport(recording.starting);
      const send = transport.send.bind(transport);
      transport.send = (message) => {
        recording.note(message);
        return send(offer(version, message));
      };
      const { client, guest, errors } = makeGuestV1(version);
      context.after(() => client.close()); // also when the tour fails
      await client.connect(transport);
      assert.equal(client.getServerVersion()?.name, "honest-genkan");
      assert.equal(client.getInstructions(), "Call echo");

      await takeTour(guest);
      await client.ping();
      await client.unsubscribeResource({ uri: "note:///one" });
      await client.close();
      assert.deepEqual(errors.filter(isNotLateProgress), []);
      recording.check(judge);
    });
  }
});
