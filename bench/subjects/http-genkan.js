// Genkan as it is published, on a port of its own; one endpoint serves both eras.

import { createServer, serveHttp } from "genkan";
import { tellPort } from "../http-subject.js";

const server = createServer({ name: "echo", version: "1.0.0" }).addTool({
  name: "echo",
  description: "Echoes",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});
const { url } = await serveHttp(server);
tellPort(new URL(url).port);
