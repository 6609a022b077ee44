/** In Fastify: `node examples/http/fastify.ts [port]`. */

import Fastify from "fastify";
import { createNodeHandler } from "genkan";
import { createWeather } from "./weather.ts";

const mcp = await createNodeHandler(createWeather());

const app = Fastify();
app.get("/", () => "The weather is at /mcp");
await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null)); // the handler reads the body itself
  scope.route({
    url: "/mcp",
    method: ["GET", "POST", "DELETE", "OPTIONS"],
    handler: (request, reply) => {
      reply.hijack();
      mcp.handle(request.raw, reply.raw);
    },
  });
});

const origin = await app.listen({ host: "127.0.0.1", port: Number(process.argv[2] ?? 0) });
console.error(`${origin}/mcp`);
process.once("SIGTERM", () => void mcp.close().then(() => app.close()));
