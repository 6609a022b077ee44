/** The session of the demo, step by step, and what each step should give. */

import { ServerError, type Client } from "../../client/index.ts";

export interface Step {
  /** What is done and what to see, for a newcomer. */
  readonly title: string;
  /** Gives what was not as it should be; `undefined` where all is well. */
  readonly run: (client: Client, signal: AbortSignal) => Promise<string | undefined>;
}

export const steps: readonly Step[] = [
  {
    title: "List its tools",
    run: async (client, signal) => {
      const tools = await client.listTools({ signal });
      return tools.length > 0 ? undefined : "the list of tools is empty, expected some";
    },
  },
  {
    title: "Call a tool",
    run: async (client, signal) => {
      const { isError } = await client.callTool("count_orders", { status: "shipped" }, { signal });
      return isError === true ? "the good call failed, expected a result" : undefined;
    },
  },
  {
    title:
      "Call it with a status that no order has: a result with isError, which a model can read and mend",
    run: async (client, signal) => {
      const { isError } = await client.callTool("count_orders", { status: "lost" }, { signal });
      return isError === true ? undefined : "the bad status gave a good result, expected isError";
    },
  },
  {
    title: "Call a tool that does not exist: an error of the protocol",
    run: async (client, signal) => {
      try {
        await client.callTool("no_such_tool", {}, { signal });
        return "a tool that does not exist gave a result, expected an error";
      } catch (error) {
        if (error instanceof ServerError) return undefined;
        throw error;
      }
    },
  },
  {
    title: "Send a notification: it has no id, and gets no reply",
    run: async (client) => {
      client.notify("notifications/cancelled", { requestId: 99, reason: "only to show it" });
      return undefined;
    },
  },
];
