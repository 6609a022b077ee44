// The official clients, old line and new, tour our server over HTTP in every revision they speak.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import { isNotLateProgress, takeTour } from "../../fixtures/peer-tour.ts";

const watched = [
  "notifications/message",
  "notifications/tools/list_changed",
  "notifications/resources/updated",
] as const;

/** A cancelled call's stream ends without a reply, and a stream's end by `close()` is an error to the old line. */
const isTrouble = (error: Error): boolean =>
  isNotLateProgress(error) &&
  !/AbortError|aborted|terminated|SSE stream disconnected/.test(String(error));

describe("over HTTP", { concurrency: 2 }, () => {
  let child: ChildProcess;
  let url: URL;
  before(async () => {
    const file = fileURLToPath(new URL("../../fixtures/servers/honest-genkan.ts", import.meta.url));
    const started = spawn(process.execPath, [file, "500", "--http"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    for await (const line of createInterface({ input: started.stderr })) {
      url = new URL(line);
      break;
    }
    started.stderr.resume();
  });
  after(() => void child.kill("SIGKILL"));

  const openings: Readonly<Record<string, readonly [version: string, options: ClientOptions]>> = {
    "legacy 2025-03-26": ["2025-03-26", { supportedProtocolVersions: ["2025-03-26"] }],
    "legacy 2025-06-18": ["2025-06-18", { supportedProtocolVersions: ["2025-06-18"] }],
    "legacy 2025-11-25": ["2025-11-25", {}],
    auto: ["2026-07-28", { versionNegotiation: { mode: "auto" } }],
    "pinned to 2026-07-28": ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
  };
  for (const [opening, [version, options]] of Object.entries(openings)) {
    test(`@modelcontextprotocol/client tours the server: ${opening}`, async (context) => {
      const transport = new StreamableHTTPClientTransport(url);
      const client = new Client(
        { name: "peer", version: "2" },
        { ...options, capabilities: { elicitation: { form: {} } } },
      );
      const heard: string[] = [];
      const errors: Error[] = [];
      client.setRequestHandler("elicitation/create", () => ({
        action: "accept" as const,
        content: { colour: "red" },
      }));
      for (const method of watched)
        client.setNotificationHandler(method, () => void heard.push(method));
      client.onerror = (error) => errors.push(error); // eslint-disable-line unicorn/prefer-add-event-listener -- it has no other way
      context.after(() => client.close());
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const isStateless = version === "2026-07-28";
      assert.equal(transport.sessionId === undefined, isStateless);
      let logMeta = {};
      await takeTour({
        version,
        heard,
        listTools: () => client.listTools(),
        callTool: (params, callOptions) => client.callTool({ ...params, ...logMeta }, callOptions),
        listResources: () => client.listResources(),
        listResourceTemplates: () => client.listResourceTemplates(),
        readResource: (params) => client.readResource(params),
        listPrompts: () => client.listPrompts(),
        getPrompt: (params) => client.getPrompt(params),
        complete: (params) => client.complete(params),
        listenToLogs: async () => {
          if (isStateless) logMeta = { _meta: { "io.modelcontextprotocol/logLevel": "info" } };
          else await client.setLoggingLevel("info");
        },
        watch: async (uri) => {
          if (isStateless)
            await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
          else await client.subscribeResource({ uri });
        },
      });
      if (!isStateless) await transport.terminateSession();
      assert.deepEqual(errors.filter(isTrouble), []);
    });
  }

  for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
    test(`@modelcontextprotocol/sdk tours the server in ${version}`, async (context) => {
      const transport = new OldTransport(url);
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        const isOpening =
          !Array.isArray(message) && "method" in message && message.method === "initialize";
        return send(
          isOpening
            ? { ...message, params: { ...message.params, protocolVersion: version } }
            : message,
          options,
        );
      };
      const client = new OldClient(
        { name: "peer", version: "1" },
        { capabilities: { elicitation: {} } },
      );
      const heard: string[] = [];
      const errors: Error[] = [];
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
      client.onerror = (error) => errors.push(error); // eslint-disable-line unicorn/prefer-add-event-listener -- it has no other way
      context.after(() => client.close());
      await client.connect(transport);
      assert.equal(client.getServerVersion()?.name, "honest-genkan");
      assert.ok(transport.sessionId !== undefined);
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
      await transport.terminateSession();
      await assert.rejects(client.ping());
      assert.deepEqual(
        errors.filter((error) => isTrouble(error) && !/-32600|404/.test(String(error))),
        [],
      );
    });
  }
});
