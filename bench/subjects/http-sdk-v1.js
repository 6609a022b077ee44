// The official SDK, version 1, with sessions in the way its examples show, and with JSON for an answer, which costs it less than a stream.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import { tellPort } from "../http-subject.js";

const transports = new Map();

async function open() {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Echoes", inputSchema: { text: z.string() } },
    async ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => transports.set(id, transport),
    enableJsonResponse: true,
  });
  await server.connect(transport);
  return transport;
}

const http = createServer(async (request, response) => {
  const transport = transports.get(request.headers["mcp-session-id"]) ?? (await open());
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1", () => tellPort(http.address().port));
