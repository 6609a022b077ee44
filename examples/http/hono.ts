/** In Hono, by the web's own `Request` and `Response`: `node examples/http/hono.ts [port]`. */

import { serve } from "@hono/node-server";
import { createFetchHandler } from "genkan";
import { Hono } from "hono";
import { createWeather } from "./weather.ts";

const mcp = await createFetchHandler(createWeather());

const app = new Hono();
app.get("/", (context) => context.text("The weather is at /mcp"));
app.all("/mcp", (context) => mcp.handle(context.req.raw));

const port = Number(process.argv[2] ?? 0);
const listening = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, (address) =>
  console.error(`http://127.0.0.1:${address.port}/mcp`),
);
process.once("SIGTERM", () => void mcp.close().then(() => listening.close()));
