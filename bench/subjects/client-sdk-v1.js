// The client of the official SDK, version 1.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { driveClient, job } from "../client-loop.js";

const { command, args } = job;
const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));
await driveClient({
  call: (text) => client.callTool({ name: "echo", arguments: { text } }),
  close: () => client.close(),
});
