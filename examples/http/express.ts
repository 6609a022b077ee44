/** In Express: `node examples/http/express.ts [port]`. */

import express from "express";
import { createNodeHandler } from "genkan";
import { createWeather } from "./weather.ts";

const mcp = await createNodeHandler(createWeather());

const app = express();
app.get("/", (_request, response) => void response.send("The weather is at /mcp"));
app.all("/mcp", mcp.handle);

const listening = app.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  const address = listening.address();
  if (typeof address === "object" && address !== null)
    console.error(`http://127.0.0.1:${address.port}/mcp`);
});
process.once("SIGTERM", () => void mcp.close().then(() => listening.close()));
