// Genkan as it is published, as a route of Hono on Node.

import { serve } from "@hono/node-server";
import { createFetchHandler, createServer } from "genkan";
import { Hono } from "hono";
import { tellPort } from "../http-subject.js";

const server = createServer({ name: "echo", version: "1.0.0" }).addTool({
  name: "echo",
  description: "Echoes",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});
const mcp = await createFetchHandler(server);
const app = new Hono().all("/mcp", (context) => mcp.handle(context.req.raw));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => tellPort(port));
