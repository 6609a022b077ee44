/** Gives the JSON Schema of `genkan.yaml`, for editors. */

import type { JsonObject } from "../protocol/index.ts";
import { configDescription } from "./describe-config.ts";

export function makeConfigSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "genkan.yaml",
    ...configDescription,
  };
}
