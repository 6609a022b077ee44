/** What the client does in each scenario. */

import type { Client, JsonObject } from "../../../src/index.ts";

type Act = (client: Client, known: JsonObject) => Promise<unknown>;

/** Gives what is to be done in a scenario: to list the tools and to call each of them, unless there is more to it. */
export function findAct(scenario: string): Act {
  return acts[scenario] ?? callEachTool;
}

const acts: { readonly [scenario: string]: Act } = {
  tools_call: async (client) => {
    await client.listTools();
    await client.callTool("add_numbers", { a: 2, b: 3 });
  },

  "http-custom-headers": async (client, { toolCalls }) => {
    await client.listTools();
    for (const { name, arguments: args } of readCalls(toolCalls)) await client.callTool(name, args);
  },

  "http-invalid-tool-headers": async (client) => {
    for (const { name } of await client.listTools()) await client.callTool(name, { region: "us" });
  },

  "http-standard-headers": async (client) => {
    await callEachTool(client);
    for (const { uri } of await client.listResources()) await client.readResource(uri);
    for (const { name } of await client.listPrompts()) await client.getPrompt(name);
  },

  "json-schema-2020-12-preservation": async (client) => {
    const tools = await client.listTools();
    const rich = tools.find(({ name }) => name === "json_schema_2020_12_tool");
    await client.callTool("json_schema_echo", { schema: rich?.inputSchema });
  },

  "json-schema-ref-no-deref": (client) => client.listTools(),

  "sep-2322-client-request-state": async (client) => {
    await client.listTools();
    await Promise.all([
      client.callTool("test_mrtr_echo_state"),
      client.callTool("test_mrtr_unrelated"),
    ]);
    await client.callTool("test_mrtr_no_state");
    await client.callTool("test_mrtr_no_result_type");
  },
};

async function callEachTool(client: Client): Promise<void> {
  for (const { name } of await client.listTools()) await client.callTool(name);
}

interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

function readCalls(calls: unknown): readonly ToolCall[] {
  if (!Array.isArray(calls) || !calls.every(isToolCall))
    throw new Error("Cannot read the calls of the scenario: expected names and arguments");
  return calls;
}

function isToolCall(call: unknown): call is ToolCall {
  return typeof call === "object" && call !== null && "name" in call && "arguments" in call;
}
