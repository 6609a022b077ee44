// The echo of genkan.js for anyone outside: `node bench/subjects/echo-stdio.js`, from whatever folder.

import { createServer, serveStdio } from "../../dist/index.js";

const server = createServer({ name: "echo", version: "1.0.0" }).addTool({
  name: "echo",
  description: "Echoes",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});
await serveStdio(server);
