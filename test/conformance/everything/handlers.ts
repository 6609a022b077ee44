/** A person who agrees to every form as it is, a model that says one thing, and one folder. */

import type { ElicitParams, ElicitResult, Handlers } from "../../../src/index.ts";

export const handlers: Handlers = {
  elicit: acceptAsItIs,
  sample: () => ({
    role: "assistant",
    content: { type: "text", text: "This is what the model says" },
    model: "none",
    stopReason: "endTurn",
  }),
  listRoots: () => ({ roots: [{ uri: "file:///everything", name: "everything" }] }),
};

/** Sends a form back with its defaults filled in, and `true` where a yes is asked for. */
function acceptAsItIs(params: ElicitParams): ElicitResult {
  if (params.mode === "url") return { action: "accept" };
  const content: Record<string, string | number | boolean> = {};
  for (const [name, field] of Object.entries(params.requestedSchema.properties)) {
    const value = field["default"] ?? (field["type"] === "boolean" ? true : undefined);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      content[name] = value;
  }
  return { action: "accept", content };
}
