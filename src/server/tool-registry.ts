/** The tools of a server: how one is declared, and what is kept of it. */

import {
  describeValue,
  UsageError,
  type Icon,
  type JsonObject,
  type ObjectSchema,
  type Tool,
  type ToolAnnotations,
} from "../protocol/index.ts";
import type { Check, Checked } from "./argument-check.ts";
import { toInputSchema, checkSchema } from "./check-schema.ts";
import type { Context } from "./context.ts";
import type { Infer } from "./infer-schema.ts";
import { Registry } from "./registry.ts";
import { isStandardSchema, toJsonSchema, type StandardSchema } from "./standard-schema.ts";
import type { ToolResult } from "./tool-result.ts";

/** A JSON Schema written out, or a schema of Zod, Valibot, ArkType or any other Standard Schema library. */
export type Schema = JsonObject | StandardSchema;

export interface ToolDefinition<
  Input extends Schema = Schema,
  Output extends Schema | undefined = Schema | undefined,
> {
  /** 1 to 128 of `A-Z a-z 0-9 _ . -`; many hosts take only 64 and no dot. */
  readonly name: string;
  readonly title?: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description?: string;
  /** The arguments; default: none. Members that are not named are refused, unless the schema allows them. */
  readonly input?: Input;
  /** The value that `run` gives; it becomes structured content, and is checked before it leaves. */
  readonly output?: Output;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  /**
   * Does the work. Gives a text, a value, or a `ToolResult`; throws `ToolError` for what a model can mend.
   *
   * @param args what `input` let through, with its defaults filled in
   */
  readonly run: (args: Infer<Input>, context: Context) => Answer<Output> | Promise<Answer<Output>>;
}

/** What a tool may give: by its output schema, or freely when it has none. */
export type Answer<Output> = ToolResult | (Output extends Schema ? Infer<Output> : unknown);

/** A tool as the server keeps it. */
export interface RegisteredTool {
  readonly tool: Tool;
  /** Checks arguments, and gives the way to run the tool with them. */
  accept(args: JsonObject): Accepted | Promise<Accepted>;
  /** Checks the value that a tool with an output schema gave; `undefined` without one. */
  readonly checkOutput: Check<unknown> | undefined;
  /** Loads the validators ahead of the first call. */
  prepare(): Promise<void>;
}

/**
 * A tool that answers for its arguments and its value itself, in a whole result: the gate, whose refusals have a shape of
 * their own. What it publishes is not looked at again.
 */
export interface GuardedTool {
  readonly tool: Tool;
  readonly run: (args: JsonObject, context: Context) => ToolResult | Promise<ToolResult>;
  /** Loads what the first call needs, ahead of it. */
  readonly prepare: () => Promise<void>;
}

/** The tool may run, or what is wrong with its arguments. */
export type Accepted =
  | { readonly run: (context: Context) => unknown }
  | { readonly issues: readonly string[] };

export class ToolRegistry extends Registry<RegisteredTool> {
  #isPrepared = false;

  constructor(onChange: () => void) {
    super("tool", onChange);
  }

  /** Loads the validators of all tools, once, as soon as nothing else is to be done: a first call should find them ready. */
  prepareSoon(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    setTimeout(() => {
      for (const tool of this.values()) tool.prepare().catch(() => {}); // the first call meets the same error and tells it
    }, 1).unref();
  }
}

/** Reads a declaration into what the server keeps. Throws a `UsageError` for one that cannot be published. */
export function registerTool<Input extends Schema, Output extends Schema | undefined>(
  definition: ToolDefinition<Input, Output>,
): RegisteredTool {
  const { name, input, output, run, ...described } = definition;
  checkName(name);
  if (typeof run !== "function") {
    throw new UsageError(
      "missing-run",
      `Cannot add the tool "${name}": its "run" is ${describeValue(run)}, expected a function`,
      { hint: `{ name, description, input, run: (args, context) => … }` },
    );
  }
  const owner = `the tool "${name}"`;
  const inputSchema = publishInput(input ?? noArguments, owner);
  const outputSchema = output === undefined ? undefined : publishOutput(output, owner);
  const checkInput = createLazyCheck<Infer<Input>>(input ?? noArguments, inputSchema, "input");
  const checkOutput =
    output === undefined
      ? undefined
      : createLazyCheck<unknown>(output, outputSchema ?? {}, "output");
  const accept = (checked: Checked<Infer<Input>>): Accepted =>
    "issues" in checked ? checked : { run: (context) => run(checked.value, context) };
  const tool = {
    name,
    ...described,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
  };
  checkSayable(tool, owner);
  return {
    tool,
    accept: (args) => {
      const checked = checkInput.check(args);
      return checked instanceof Promise ? checked.then(accept) : accept(checked);
    },
    checkOutput: checkOutput?.check,
    prepare: async () => {
      await checkInput.load();
      await checkOutput?.load();
    },
  };
}

/** An author who writes JavaScript learns here what TypeScript would have said. */
function checkName(name: unknown): void {
  if (typeof name === "string" && toolName.test(name)) return;
  throw new UsageError(
    "invalid-name",
    `Cannot add a tool: its "name" is ${describeValue(name)}, expected 1 to 128 of A-Z a-z 0-9 _ . -`,
  );
}

/** One definition that JSON cannot carry would take the whole list of tools with it. */
function checkSayable(tool: Tool, owner: string): void {
  try {
    JSON.stringify(tool);
  } catch (cause) {
    const what = `Cannot add ${owner}: JSON cannot carry its definition`;
    throw new UsageError("invalid-definition", what, { cause });
  }
}

/** Takes a tool as it is: it checks for itself. */
export function registerGuardedTool({ tool, run, prepare }: GuardedTool): RegisteredTool {
  checkSayable(tool, `the tool "${tool.name}"`);
  const accept = (args: JsonObject): Accepted => ({ run: (context) => run(args, context) });
  return { tool, accept, checkOutput: undefined, prepare };
}

/** Gives the JSON Schema of a tool's arguments. Throws a `UsageError` for one that cannot be published. */
export function publishInput(schema: Schema, owner: string): ObjectSchema {
  return toInputSchema(toSchema(schema, "input"), owner, !isStandardSchema(schema));
}

/** Gives the JSON Schema of a tool's value; throws as `publishInput`. */
export function publishOutput(schema: Schema, owner: string): JsonObject {
  const published = toSchema(schema, "output");
  checkSchema(published, owner, !isStandardSchema(schema));
  return published;
}

function toSchema(schema: Schema, side: "input" | "output"): JsonObject {
  return isStandardSchema(schema) ? toJsonSchema(schema, side) : schema;
}

/** A check whose validator is loaded when the first value comes, or ahead of it: a server opens without it. */
function createLazyCheck<Value>(
  schema: Schema,
  published: JsonObject,
  side: "input" | "output",
): { check: Check<Value>; load: () => Promise<Check<Value>> } {
  let loaded: Check<Value> | undefined;
  let loading: Promise<Check<Value>> | undefined;
  const load = async (): Promise<Check<Value>> => {
    const { loadCheck } = await import("./argument-check.ts");
    loading ??= loadCheck<Value>(schema, published, side);
    loaded = await loading;
    return loaded;
  };
  return {
    check: (value) => (loaded === undefined ? load().then((check) => check(value)) : loaded(value)),
    load,
  };
}

const toolName = /^[A-Za-z0-9_.-]{1,128}$/;
const noArguments = { type: "object", properties: {} } as const;
