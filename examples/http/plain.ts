/** On a port of its own, without a framework: `node examples/http/plain.ts [port]`. */

import { serveHttp } from "genkan";
import { createWeather } from "./weather.ts";

const http = await serveHttp(createWeather(), { port: Number(process.argv[2] ?? 0) });
console.error(http.url);
process.once("SIGTERM", () => void http.close());
