// The floor of a server: the smallest loop that answers both eras correctly. It checks nothing, and bounds nothing.

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

let unfinished = [];
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  let replies = "";
  let from = 0;
  for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
    let line = chunk.slice(from, end);
    from = end + 1;
    if (unfinished.length > 0) {
      line = unfinished.join("") + line;
      unfinished = [];
    }
    const request = JSON.parse(line);
    if (request.id !== undefined) replies += `${JSON.stringify(reply(request))}\n`;
  }
  if (from < chunk.length) unfinished.push(chunk.slice(from));
  if (replies !== "") process.stdout.write(replies);
});

function reply({ id, method, params }) {
  const result = answer(method, params);
  if (result === undefined) {
    return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  }
  if (params?._meta?.[modernKey] !== undefined) {
    result.resultType = "complete";
    result._meta = { "io.modelcontextprotocol/serverInfo": serverInfo };
  }
  return { jsonrpc: "2.0", id, result };
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
