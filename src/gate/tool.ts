/** A tool of the gate: what its author declares, and what a running call may do. */

import type { JsonObject } from "../protocol/index.ts";
import type { Check, Infer, Schema } from "../server/index.ts";
import type { Artifact, ArtifactOptions } from "./artifact.ts";
import type { Risk } from "./feature.ts";
import type { ToolLimits } from "./limits.ts";

export interface GateToolDefinition<Input extends Schema = Schema, Output extends Schema = Schema> {
  /** By default 1 to 64 of `A-Z a-z 0-9 _ -`: what hosts take. */
  readonly name: string;
  readonly title?: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description: string;
  /** "read" changes nothing; "write" has a side effect, so it needs ids and a grant. */
  readonly risk: Risk;
  /** Whether it reaches what others change, such as the web; false says that it never leaves its own system. Default: not told. */
  readonly openWorld?: boolean;
  /** A closed object, every argument with a bound. The gate adds `task_id` and `call_id`. */
  readonly input: Input;
  /** The value that `run` gives; it becomes the envelope's `data`. A list is made by `listSchema()`. */
  readonly output: Output;
  readonly limits?: ToolLimits;
  /** The arguments that say how often something is repeated; their bound is at most `maxLoopBound`. */
  readonly loops?: readonly string[];
  /** The names of the steps that `run` goes through, in order, so that a failure says how far it came. */
  readonly steps?: readonly string[];
  /** Where a call acts, such as `https://shop.example`; conduct and grants can be bound to it. */
  readonly origin?: (args: Infer<Input>) => string;
  /** For the model: what to read to find out whether a write whose outcome is unknown was done. */
  readonly findOut?: string;
  /** Does one business action. Throws a `ToolFailure` for what a model can use; any other error is a fault of the tool. */
  readonly run: (args: Infer<Input>, call: GateCall) => Infer<Output> | Promise<Infer<Output>>;
}

/** A running call, as a tool sees it. */
export interface GateCall {
  readonly taskId: string | undefined;
  readonly callId: string | undefined;
  readonly principal: string;
  readonly traceId: string;
  /** What holds for this tool: a tool may give less so as to stay within `resultBytes`. */
  readonly limits: Required<ToolLimits>;
  /** From 1: how often the tool has been begun for this call. */
  readonly attempt: number;
  /** Aborts at the deadline and when the gate ends; for a call outside the ledger also when the caller cancels. */
  readonly signal: AbortSignal;
  /** Does a part of the work under a name; its time and its end are noted. */
  step<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value>;
  /** Keeps bytes and gives the link to them; bytes are never part of a result. Throws a `ToolFailure` for too many. */
  artifact(bytes: Uint8Array, options: ArtifactOptions): Artifact;
  /** Resolves `secret://name`. The value must not leave the tool. */
  secret(reference: string): Promise<string>;
  /** Says something beside the result, for the model. */
  warn(text: string): void;
  /** Tells the caller how far the call has come, if it asked to know. */
  progress(progress: number, total?: number, message?: string): void;
}

/** A declared tool whose contract holds. */
export interface GateTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly risk: Risk;
  readonly openWorld: boolean | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly limits: ToolLimits;
  readonly steps: readonly string[];
  readonly findOut: string | undefined;
  /** Loads the two checks; they are made once. */
  load(): Promise<ToolChecks>;
}

export interface ToolChecks {
  /** Checks the arguments and gives what they stand for. */
  readonly accept: (args: JsonObject) => Accepted | Promise<Accepted>;
  readonly checkOutput: Check<unknown>;
}

/** Arguments that fit, bound to the tool; or what is wrong with them. */
export type Accepted =
  | {
      readonly origin: string | undefined;
      readonly run: (call: GateCall) => unknown;
    }
  | { readonly issues: readonly string[] };
