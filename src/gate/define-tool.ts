/** Takes a tool's declaration, or says everything that is wrong with it. */

import { UsageError, type JsonObject } from "../protocol/index.ts";
import {
  loadCheck,
  publishInput,
  publishOutput,
  type Checked,
  type Infer,
  type Schema,
} from "../server/index.ts";
import { findInputFaults, findOutputFaults } from "./contract.ts";
import type { Accepted, GateTool, GateToolDefinition, ToolChecks } from "./tool.ts";

/** Makes a tool for `gate.addTo`. Throws a `UsageError` that lists every fault of its contract. */
export function defineTool<const Input extends Schema, const Output extends Schema>(
  definition: GateToolDefinition<Input, Output>,
): GateTool {
  const { name, title, description, risk, input, output, run } = definition;
  const { openWorld, limits = {}, loops = [], steps = [], findOut } = definition;
  const owner = `the tool "${name}"`;
  const missing = findMissing({ name, description, risk, input, output, run });
  if (missing.length > 0) throw invalidContract(owner, missing);
  const inputSchema = publishInput(input, owner);
  const outputSchema = publishOutput(output, owner);
  const faults = [
    ...findPlainFaults(definition),
    ...findInputFaults(asWritten(input, inputSchema), loops),
    ...findOutputFaults(outputSchema),
  ];
  if (faults.length > 0) throw invalidContract(owner, faults);
  let loading: Promise<ToolChecks> | undefined;
  const load = (): Promise<ToolChecks> =>
    (loading ??= loadChecks(definition, inputSchema, outputSchema));
  return {
    name,
    title,
    description,
    risk,
    openWorld,
    inputSchema,
    outputSchema,
    limits,
    steps,
    findOut,
    load,
  };
}

/** What JavaScript lets an author leave out. */
function findMissing(members: object): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [`it has no ${name}, expected one`] : [],
  );
}

function invalidContract(owner: string, faults: readonly string[]): UsageError {
  return new UsageError("invalid-contract", `Cannot define ${owner}: ${faults.join("; ")}`, {
    hint: `{ type: "object", properties: { name: { type: "string", maxLength: 200 } }, additionalProperties: false }`,
  });
}

/** A JSON Schema must itself say that it is closed; for a library's schema the server says it, and keeps it. */
function asWritten(input: Schema, published: JsonObject): JsonObject {
  return "~standard" in input ? published : input;
}

function findPlainFaults({
  name,
  description,
  risk,
  steps = [],
}: GateToolDefinition): readonly string[] {
  const faults: string[] = [];
  if (name === "") faults.push("its name is empty");
  if (typeof description !== "string" || description.trim() === "")
    faults.push("it has no description");
  if (risk !== "read" && risk !== "write")
    faults.push(`its risk is ${JSON.stringify(risk)}, expected "read" or "write"`);
  if (new Set(steps).size !== steps.length) faults.push("two of its steps have the same name");
  return faults;
}

async function loadChecks<Input extends Schema, Output extends Schema>(
  { input, output, origin, run }: GateToolDefinition<Input, Output>,
  inputSchema: JsonObject,
  outputSchema: JsonObject,
): Promise<ToolChecks> {
  const [checkInput, checkOutput] = await Promise.all([
    loadCheck<Infer<Input>>(input, inputSchema, "input"),
    loadCheck<unknown>(output, outputSchema, "output"),
  ]);
  const bind = (checked: Checked<Infer<Input>>): Accepted => {
    if ("issues" in checked) return checked;
    const { value } = checked;
    return { origin: origin?.(value), run: (call) => run(value, call) };
  };
  return {
    accept: (args) => {
      const checked = checkInput(args);
      return checked instanceof Promise ? checked.then(bind) : bind(checked);
    },
    checkOutput,
  };
}
