/** What clients see of a gated tool: its own schemas with the two ids and the envelope around them. */

import { isObject, UsageError, type JsonObject, type Tool } from "../protocol/index.ts";
import { codes } from "./codes.ts";
import { envelopeSchema } from "./envelope.ts";
import type { Risk } from "./feature.ts";
import type { GateTool } from "./tool.ts";

/** The form of both ids: short, and safe in a command line, a log and a file. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/;

/**
 * Makes the definition for `tools/list`. The annotations are hints drawn from what is declared; nothing relies on them.
 *
 * @param takesIds whether the two ids are among its arguments: a gate without a state has no use for them
 */
export function publishTool(tool: GateTool, takesIds: boolean): Tool {
  const { name, title, description, risk, openWorld, inputSchema, outputSchema } = tool;
  if (refersToRoot(outputSchema)) {
    const what = `Cannot publish the tool "${name}": its output refers to "#", its own root, expected a reference to "#/$defs/…"`;
    throw new UsageError("invalid-contract", what);
  }
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: {
      ...inputSchema,
      type: "object",
      ...(takesIds && addIds(inputSchema, risk)),
    },
    outputSchema: envelopeSchema(outputSchema, Object.keys(codes)),
    annotations: {
      readOnlyHint: risk === "read",
      destructiveHint: risk === "write",
      idempotentHint: true,
      ...(openWorld !== undefined && { openWorldHint: openWorld }),
    },
  };
}

function addIds(schema: JsonObject, risk: Risk): JsonObject {
  const { properties, required } = schema;
  const ids = { task_id: describeId(taskIdText, risk), call_id: describeId(callIdText, risk) };
  const own: readonly unknown[] = Array.isArray(required) ? required : [];
  return {
    properties: { ...(isObject(properties) ? properties : {}), ...ids },
    ...((own.length > 0 || risk === "write") && {
      required: risk === "write" ? [...own, "task_id", "call_id"] : own,
    }),
  };
}

function describeId(text: string, risk: Risk): JsonObject {
  const need =
    risk === "write"
      ? ""
      : " Optional: with both ids the result is kept, and a repetition gets the same.";
  return { type: "string", pattern: idPattern.source, maxLength: 100, description: text + need };
}

const taskIdText =
  "Names the whole task you are working on: make one up when you begin, such as refund-2026-11-30-a, and send it with every call of this task.";
const callIdText =
  "Names this one thing to be done: make up a new one for each, such as refund-1, and send the same again only when you repeat the same call, for instance after a timeout. A repetition is never done twice.";

function refersToRoot(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("$ref" in value && value.$ref === "#") return true;
  return Object.values(value).some(refersToRoot);
}
