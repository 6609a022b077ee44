// The floor of a server over HTTP: the smallest handler of node:http that answers both eras correctly. It checks nothing but
// a session's id, and bounds nothing. The answers are those of bare.js, which imports no file because that would take time.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { tellPort } from "../http-subject.js";

const modernKey = "io.modelcontextprotocol/protocolVersion";
const serverInfo = { name: "bare", version: "1.0.0" };
const supportedVersions = ["2026-07-28", "2025-11-25"];
const capabilities = { tools: {} };
const inputSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};
const tools = [{ name: "echo", description: "Echoes", inputSchema }];
const fresh = { ttlMs: 0, cacheScope: "private" };
const sessions = new Set();

const http = createServer((request, response) => {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    respond(request, response, JSON.parse(body.toString()));
  });
});

function respond(request, response, message) {
  const { id, method, params } = message;
  const headers = { "content-type": "application/json" };
  const isModern = params?._meta?.[modernKey] !== undefined;
  if (method === "initialize") {
    const session = randomUUID();
    sessions.add(session);
    headers["mcp-session-id"] = session;
  } else if (!isModern && !sessions.has(request.headers["mcp-session-id"])) {
    return void response.writeHead(404).end();
  }
  if (id === undefined) return void response.writeHead(202).end();
  const reply = JSON.stringify({ jsonrpc: "2.0", id, ...outcome(method, params, isModern) });
  headers["content-length"] = Buffer.byteLength(reply);
  response.writeHead(200, headers).end(reply);
}

function outcome(method, params, isModern) {
  const result = answer(method, params);
  if (result === undefined) return { error: { code: -32601, message: "Method not found" } };
  if (isModern === true) {
    result.resultType = "complete";
    result._meta = { "io.modelcontextprotocol/serverInfo": serverInfo };
  }
  return { result };
}

function answer(method, params) {
  switch (method) {
    case "tools/call":
      return { content: [{ type: "text", text: params.arguments.text }] };
    case "tools/list":
      return { ...fresh, tools };
    case "initialize":
      return { protocolVersion: "2025-11-25", capabilities, serverInfo };
    case "server/discover":
      return { ...fresh, supportedVersions, capabilities };
    case "ping":
      return {};
  }
}

http.listen(0, "127.0.0.1", () => tellPort(http.address().port));
