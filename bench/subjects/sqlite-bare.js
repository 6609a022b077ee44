// The floor of a server that answers from a SQLite file: the smallest loop with prepared statements. It checks nothing, bounds
// nothing, and a statement without end stops it for good. node sqlite-bare.js <database> <questions>

import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const [, , path, questions] = process.argv;
const database = new DatabaseSync(path, { readOnly: true });
const asks = JSON.parse(readFileSync(questions, "utf8"));
const statements = new Map(asks.map(({ tool, sql }) => [tool, database.prepare(sql)]));
const parameters = new Map(asks.map(({ tool, parameter }) => [tool, parameter]));
const tools = asks.map(({ tool, description, parameter }) => ({
  name: tool,
  description,
  inputSchema: {
    type: "object",
    properties: { [parameter]: { type: "integer" } },
    required: [parameter],
  },
}));
const serverInfo = { name: "bare", version: "1.0.0" };

let unfinished = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  let replies = "";
  let from = 0;
  for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
    const { id, method, params } = JSON.parse(unfinished + chunk.slice(from, end));
    unfinished = "";
    from = end + 1;
    if (id !== undefined)
      replies += `${JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })}\n`;
  }
  unfinished += chunk.slice(from);
  if (replies !== "") process.stdout.write(replies);
});

function answer(method, params) {
  switch (method) {
    case "tools/call": {
      const { name, arguments: args } = params;
      const rows = statements.get(name).all(args[parameters.get(name)]);
      return { content: [{ type: "text", text: JSON.stringify(rows) }] };
    }
    case "tools/list":
      return { tools };
    case "initialize":
      return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
  }
}
