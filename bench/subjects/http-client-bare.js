// The floor of a client over HTTP: node:http with an agent that keeps connections, JSON both ways.

import { Agent, request as send } from "node:http";
import { driveClient, job } from "../client-loop.js";

const clientInfo = { name: "bare", version: "1.0.0" };
const isModern = job.revision === "2026-07-28";
const _meta = {
  "io.modelcontextprotocol/protocolVersion": job.revision,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const { hostname, port, pathname } = new URL(job.url);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
let session;
let lastId = 0;

function request(method, params) {
  lastId += 1;
  return post(method, { jsonrpc: "2.0", id: lastId, method, params });
}

function post(method, message) {
  const body = JSON.stringify(
    isModern ? { ...message, params: { ...message.params, _meta } } : message,
  );
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": Buffer.byteLength(body),
    "mcp-protocol-version": job.revision,
  };
  if (isModern) headers["mcp-method"] = method;
  if (isModern && method === "tools/call") headers["mcp-name"] = message.params.name;
  if (session !== undefined) headers["mcp-session-id"] = session;
  const { promise, resolve, reject } = Promise.withResolvers();
  const options = { hostname, port, path: pathname, method: "POST", agent, headers };
  send(options, (response) => {
    session ??= response.headers["mcp-session-id"];
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (piece) => (text += piece));
    response.on("end", () => {
      if (text === "") return resolve();
      const { result, error } = JSON.parse(text);
      if (error === undefined) resolve(result);
      else reject(new Error(error.message));
    });
  })
    .on("error", reject)
    .end(body);
  return promise;
}

if (isModern) {
  await request("server/discover", {});
} else {
  await request("initialize", { protocolVersion: job.revision, capabilities: {}, clientInfo });
  await post("", { jsonrpc: "2.0", method: "notifications/initialized" });
}
await driveClient({
  call: (text) => request("tools/call", { name: "echo", arguments: { text } }),
  close: () => agent.destroy(),
});
