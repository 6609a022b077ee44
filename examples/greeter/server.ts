import { createServer, serveStdio } from "genkan";

const server = createServer({ name: "greeter", version: "1.0.0" });
server.addTool({
  name: "greet",
  description: "Greets a person by name",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  run: ({ name }) => `Hello, ${name}!`,
});
await serveStdio(server);
