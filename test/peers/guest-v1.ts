/** The official client v1 as a guest of the tour: it answers questions, and keeps what it hears and what troubles it. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import type { Guest } from "../../fixtures/peer-tour.ts";

export interface GuestV1 {
  readonly client: Client;
  readonly guest: Guest;
  readonly errors: readonly Error[];
}

export function makeGuestV1(version: string): GuestV1 {
  const client = new Client({ name: "peer", version: "1" }, { capabilities: { elicitation: {} } });
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
  const guest: Guest = {
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
  };
  return { client, guest, errors };
}

/** Makes the offer an older one on its way: the client offers its latest revision only, and accepts any of them. */
export function offer(version: string, message: types.JSONRPCMessage): types.JSONRPCMessage {
  if (!("method" in message) || message.method !== "initialize") return message;
  return { ...message, params: { ...message.params, protocolVersion: version } };
}
