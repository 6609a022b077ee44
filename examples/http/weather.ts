/** The server that the examples of this folder mount: one tool, so that each of them shows only its framework. */

import { createServer, type Server } from "genkan";

export function createWeather(): Server {
  return createServer({ name: "weather", version: "1.0.0" }).addTool({
    name: "forecast",
    description: "Says what the weather will be in a city.",
    input: {
      type: "object",
      properties: { city: { type: "string", minLength: 1, maxLength: 100 } },
      required: ["city"],
    },
    annotations: { readOnlyHint: true },
    run: ({ city }) => `Sunny in ${city}`,
  });
}
