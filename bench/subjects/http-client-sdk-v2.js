// The client of the official SDK, version 2, over HTTP.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { driveClient, job } from "../client-loop.js";

const { revision, url } = job;
const mode = revision === "2026-07-28" ? { pin: revision } : "legacy";
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await driveClient({
  call: (text) => client.callTool({ name: "echo", arguments: { text } }),
  close: () => client.close(),
});
