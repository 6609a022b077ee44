/** Genkan: the front door between AI agents and your own systems. */

export { createServer, serve, serveStdio, AskError, MissingCapabilityError, Server, ToolError, ToolResult } from "./server/index.ts";
