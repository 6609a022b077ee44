// The client of the official SDK, version 1, over HTTP.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { driveClient, job } from "../client-loop.js";

const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(job.url)));
await driveClient({
  call: (text) => client.callTool({ name: "echo", arguments: { text } }),
  close: () => client.close(),
});
