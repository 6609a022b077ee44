// The floor of a client: a map of pending calls, JSON both ways, the requests of one turn in one write.

import { spawn } from "node:child_process";
import { driveClient, job } from "../client-loop.js";

const clientInfo = { name: "bare", version: "1.0.0" };
const isModern = job.revision === "2026-07-28";
const _meta = {
  "io.modelcontextprotocol/protocolVersion": job.revision,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const child = spawn(job.command, job.args, { stdio: ["pipe", "pipe", "inherit"] });
const pending = new Map();
let lastId = 0;
let requests = "";
let unfinished = [];

child.stdout.setEncoding("utf8");
child.stdout.on("data", (chunk) => {
  let from = 0;
  for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
    let line = chunk.slice(from, end);
    from = end + 1;
    if (unfinished.length > 0) {
      line = unfinished.join("") + line;
      unfinished = [];
    }
    settle(JSON.parse(line));
  }
  if (from < chunk.length) unfinished.push(chunk.slice(from));
});

function settle({ id, result, error }) {
  const { resolve, reject } = pending.get(id);
  pending.delete(id);
  if (error === undefined) resolve(result);
  else reject(new Error(error.message));
}

function request(method, params) {
  lastId += 1;
  const id = lastId;
  const sent = isModern ? { ...params, _meta } : params;
  if (requests === "") process.nextTick(flush);
  requests += `${JSON.stringify({ jsonrpc: "2.0", id, method, params: sent })}\n`;
  return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
}

function flush() {
  child.stdin.write(requests);
  requests = "";
}

if (isModern) {
  await request("server/discover", {});
} else {
  await request("initialize", { protocolVersion: job.revision, capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}
await driveClient({
  call: (text) => request("tools/call", { name: "echo", arguments: { text } }),
  close: () => child.stdin.end(),
});
