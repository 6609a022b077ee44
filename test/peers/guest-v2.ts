/** The official client v2 as a guest of the tour, in every way it opens a session. */

import assert from "node:assert/strict";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import type { Guest } from "../../fixtures/peer-tour.ts";

/** Every way to open a session, and the revision it ends in. */
export const openings: Readonly<
  Record<string, readonly [version: string, options: ClientOptions]>
> = {
  "legacy 2024-11-05": ["2024-11-05", { supportedProtocolVersions: ["2024-11-05"] }],
  "legacy 2025-03-26": ["2025-03-26", { supportedProtocolVersions: ["2025-03-26"] }],
  "legacy 2025-06-18": ["2025-06-18", { supportedProtocolVersions: ["2025-06-18"] }],
  "legacy 2025-11-25": ["2025-11-25", {}],
  auto: ["2026-07-28", { versionNegotiation: { mode: "auto" } }],
  "pinned to 2026-07-28": ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
};

export interface GuestV2 {
  readonly client: Client;
  readonly guest: Guest;
  readonly errors: readonly Error[];
}

export function makeGuestV2(version: string, options: ClientOptions): GuestV2 {
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
  for (const method of [
    "notifications/message",
    "notifications/tools/list_changed",
    "notifications/resources/updated",
  ] as const)
    client.setNotificationHandler(method, () => void heard.push(method));
  client.onerror = (error) => errors.push(error); // eslint-disable-line unicorn/prefer-add-event-listener -- it has no other way
  const isStateless = version === "2026-07-28";
  let logMeta = {};
  const guest: Guest = {
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
      if (!isStateless) return void (await client.subscribeResource({ uri }));
      const asked = { toolsListChanged: true, resourceSubscriptions: [uri] };
      const { honoredFilter } = await client.listen(asked);
      assert.deepEqual(honoredFilter, asked);
    },
  };
  return { client, guest, errors };
}
