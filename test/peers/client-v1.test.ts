// The official client v1 (@modelcontextprotocol/sdk) calls our server in every revision it speaks.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
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
        // The client offers its latest revision only, and accepts any of these: the offer is made an older one on its way.
        const isOpening = "method" in message && message.method === "initialize";
        return send(
          isOpening
            ? { ...message, params: { ...message.params, protocolVersion: version } }
            : message,
        );
      };
      const client = new Client(
        { name: "peer", version: "1" },
        { capabilities: { elicitation: {} } },
      );
      const heard: string[] = [];
      client.setRequestHandler(types.ElicitRequestSchema, () => ({
        action: "accept",
        content: { colour: "red" },
      }));
      for (const schema of [
        types.LoggingMessageNotificationSchema,
        types.ToolListChangedNotificationSchema,
        types.ResourceUpdatedNotificationSchema,
      ])
        client.setNotificationHandler(schema, ({ method }) => void heard.push(method));
      const errors: Error[] = [];
      client.onerror = (error) => errors.push(error); // eslint-disable-line unicorn/prefer-add-event-listener -- it has no other way
      context.after(() => client.close()); // also when the tour fails
      await client.connect(transport);
      assert.equal(client.getServerVersion()?.name, "honest-genkan");
      assert.equal(client.getInstructions(), "Call echo");

      await takeTour({
        version,
        heard,
        listTools: () => client.listTools(),
        callTool: (params, options) => client.callTool(params, undefined, options),
        listResources: () => client.listResources(),
        listResourceTemplates: () => client.listResourceTemplates(),
        readResource: (params) => client.readResource(params),
        listPrompts: () => client.listPrompts(),
        getPrompt: (params) => client.getPrompt(params),
        complete: (params) => client.complete(params),
        listenToLogs: async () => void (await client.setLoggingLevel("info")),
        watch: async (uri) => void (await client.subscribeResource({ uri })),
      });
      await client.ping();
      await client.unsubscribeResource({ uri: "note:///one" });
      await client.close();
      assert.deepEqual(errors.filter(isNotLateProgress), []);
      recording.check(judge);
    });
  }
});
