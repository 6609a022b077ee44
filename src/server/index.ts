/** The serving side: tools, resources and prompts for clients of every revision. */

export type { Limits } from "./catalogue.ts";
export type { Complete } from "./completer.ts";
export { AskError, MissingCapabilityError, ToolError } from "./author-error.ts";
export type { AskOptions, Context } from "./context.ts";
export type { Infer } from "./infer-schema.ts";
export type { PromptArgumentDefinition, PromptDefinition, PromptValue } from "./prompt-registry.ts";
export type {
  ResourceDefinition,
  ResourceTemplateDefinition,
  ResourceValue,
} from "./resource-registry.ts";
export { serve, serveStdio } from "./serve.ts";
export { createServer, Server } from "./server.ts";
export type { ServerOptions } from "./server.ts";
export { Session } from "./session.ts";
export type { StandardSchema } from "./standard-schema.ts";
export type { Answer, Schema, ToolDefinition } from "./tool-registry.ts";
export { ToolResult } from "./tool-result.ts";
