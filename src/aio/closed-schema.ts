/** Makes the JSON Schema of an object that has certain members, all of them, and no others. */

import type { JsonObject } from "../protocol/index.ts";

export function closedSchema<const Members extends JsonObject>(properties: Members) {
  const isMember = (name: string): name is keyof Members & string =>
    Object.hasOwn(properties, name);
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter(isMember),
    additionalProperties: false,
  } as const;
}
