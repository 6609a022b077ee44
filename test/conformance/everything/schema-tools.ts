/** Tools whose schemas say more than the types of their arguments. */

import type { Server } from "../../../src/index.ts";

export function addSchemaTools(server: Server): void {
  server.addTool({
    name: "json_schema_2020_12_tool",
    description: "Takes arguments that much of JSON Schema 2020-12 describes.",
    input: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    run: (args) => args,
  });

  server.addTool({
    name: "test_header_parameter",
    description: "Takes an argument that clients repeat in a header.",
    input: {
      type: "object",
      properties: { region: { type: "string", maxLength: 100, "x-mcp-header": "Region" } },
      required: ["region"],
    },
    run: ({ region }) => `The region is ${region}`,
  });
}
