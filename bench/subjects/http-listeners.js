// Genkan as it is published, with a list of tools that changes with each line on stdin.

import { createServer, serveHttp } from "genkan";
import { tellPort } from "../http-subject.js";

const ping = { name: "ping", description: "Answers", input: { type: "object" }, run: () => "pong" };
const server = createServer({ name: "listeners", version: "1.0.0" }).addTool(ping);
process.stdin.on("data", () => {
  server.removeTool(ping.name);
  server.addTool(ping);
});
const { url } = await serveHttp(server);
tellPort(new URL(url).port);
