/** `tools/list` and `tools/call`. */

import { isObject, refuseParam, refuseParams, type JsonObject } from "../../protocol/index.ts";
import type { Checked } from "../argument-check.ts";
import type { Call } from "../call.ts";
import { MissingCapabilityError, ToolError } from "../author-error.ts";
import { canCarrySchema, encodeToolResult } from "../encode.ts";
import type { Accepted, RegisteredTool } from "../tool-registry.ts";
import { ToolResult, toErrorResult, toPlainResult, toStructuredResult } from "../tool-result.ts";
import { withInput } from "./input.ts";
import { listPage } from "./list-page.ts";
import { pickMembers, requireString, type Method } from "./method.ts";

export const listTools: Method = (call) => {
  const { tools } = call.catalogue;
  tools.prepareSoon();
  return listPage(call, "tools", tools.values(), (entry) => encodeTool(entry, call));
};

export const callTool: Method = (call) => {
  const name = requireString(call.params, "name");
  const args = call.params["arguments"] ?? {};
  if (!isObject(args)) {
    throw refuseParam("arguments", args, "an object");
  }
  const entry = call.catalogue.tools.get(name);
  if (entry === undefined) throw refuseParams(`Unknown tool: ${name}`);
  const accepted = entry.accept(args);
  return accepted instanceof Promise
    ? accepted.then((late) => (call.isOver ? {} : runAccepted(call, entry, late)))
    : runAccepted(call, entry, accepted);
};

function encodeTool({ tool }: RegisteredTool, { revision }: Call): JsonObject {
  const { outputSchema, ...rest } = tool;
  const definition = canCarrySchema(outputSchema, revision) ? tool : rest;
  return pickMembers(definition, revision.members.tool);
}

function runAccepted(
  call: Call,
  entry: RegisteredTool,
  accepted: Accepted,
): JsonObject | Promise<JsonObject> {
  if ("issues" in accepted) return refuseArguments(call, entry, accepted.issues);
  return withInput(call, () => run(call, entry, accepted.run));
}

/** The model can mend its arguments; up to 2025-06-18 the protocol had an error for that, since 2025-11-25 the result tells it. */
function refuseArguments(
  call: Call,
  { tool }: RegisteredTool,
  issues: readonly string[],
): JsonObject {
  const text = `Invalid arguments for ${tool.name}: ${issues.join("; ")}`;
  if (call.revision.invalidArguments === "tool error") return { ...toErrorResult(text) };
  throw refuseParams(text);
}

function run(
  call: Call,
  entry: RegisteredTool,
  start: (call: Call) => unknown,
): JsonObject | Promise<JsonObject> {
  try {
    const value = start(call);
    if (!isThenable(value)) return conclude(call, entry, value);
    return Promise.resolve(value).then(
      (late) => conclude(call, entry, late),
      (thrown: unknown) => explainFailure(call, thrown),
    );
  } catch (thrown) {
    return explainFailure(call, thrown);
  }
}

/** Query builders and older libraries give what can be awaited and is no `Promise`. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

function conclude(
  call: Call,
  { tool, checkOutput }: RegisteredTool,
  value: unknown,
): JsonObject | Promise<JsonObject> {
  if (checkOutput === undefined) return encodeToolResult(toPlainResult(value), call.revision);
  const whole = value instanceof ToolResult ? value.result : undefined;
  if (whole?.isError === true) return encodeToolResult(whole, call.revision);
  const finish = (checked: Checked<unknown>): JsonObject => {
    if (!("issues" in checked)) {
      if (checked.value !== undefined)
        return encodeToolResult(toStructuredResult(checked.value, whole), call.revision);
      throw new Error(`The tool "${tool.name}" has an output schema and gave undefined`);
    }
    throw new Error(
      `The tool "${tool.name}" gave a value outside of its output schema: ${checked.issues.join("; ")}`,
    );
  };
  const checked = checkOutput(whole === undefined ? value : whole.structuredContent);
  return checked instanceof Promise ? checked.then(finish) : finish(checked);
}

/** A failure that the tool means for the model becomes a result; anything else goes on up, and its text goes to stderr only. */
function explainFailure(call: Call, thrown: unknown): JsonObject {
  if (thrown instanceof ToolError) return { ...toErrorResult(thrown.message) };
  if (thrown instanceof MissingCapabilityError && call.revision.era === "handshake")
    return { ...toErrorResult(thrown.message) };
  throw thrown;
}
