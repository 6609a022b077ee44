// The official SDK, version 2, through its adapter for Node: its handler for 2026-07-28 and, as that keeps no sessions, its
// transport for older revisions. Both answer with JSON, which costs less than a stream.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { tellPort } from "../http-subject.js";

const transports = new Map();

function createEcho() {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Echoes", inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  return server;
}

async function open() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => transports.set(id, transport),
    enableJsonResponse: true,
  });
  await createEcho().connect(transport);
  return transport;
}

const handleStateless = toNodeHandler(createMcpHandler(createEcho, { responseMode: "json" }));
const http = createServer(async (request, response) => {
  if (request.headers["mcp-protocol-version"] === "2026-07-28")
    return handleStateless(request, response);
  const transport = transports.get(request.headers["mcp-session-id"]) ?? (await open());
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1", () => tellPort(http.address().port));
