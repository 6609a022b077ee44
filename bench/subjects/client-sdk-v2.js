// The client of the official SDK, version 2.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { driveClient, job } from "../client-loop.js";

const { command, args, revision } = job;
const mode = revision === "2026-07-28" ? { pin: revision } : "legacy";
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport({ command, args }));
await driveClient({
  call: (text) => client.callTool({ name: "echo", arguments: { text } }),
  close: () => client.close(),
});
