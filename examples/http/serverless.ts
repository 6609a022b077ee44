/**
 * For Bun, Deno and serverless functions, which take an object with `fetch`: `bun examples/http/serverless.ts`, or as the
 * module a platform asks for. Only stateless clients are served well where each request may meet another process.
 */

import { createFetchHandler } from "genkan";
import { createWeather } from "./weather.ts";

const mcp = await createFetchHandler(createWeather(), { path: "/mcp" });

export const fetch = mcp.handle;
