// Genkan as it is published: the package by its name, so what was built into dist/.

import { createServer, serveStdio } from "genkan";

const server = createServer({ name: "echo", version: "1.0.0" }).addTool({
  name: "echo",
  description: "Echoes",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});
await serveStdio(server);
