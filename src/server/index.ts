/** The serving side: tools, resources and prompts for clients of every revision. */

export type { CacheHints } from "./catalogue.ts";
export type { Complete } from "./completer.ts";
export { MissingCapabilityError } from "./context.ts";
export type { AskOptions, Context } from "./context.ts";
export { AskError } from "./asks.ts";
export type { Infer } from "./infer-schema.ts";
export type { Limits } from "./limits.ts";
export type { PromptArgumentDefinition, PromptDefinition, PromptValue } from "./prompt-registry.ts";
export type { Reporter } from "./report.ts";
export type { ResourceDefinition, ResourceTemplateDefinition, ResourceValue } from "./resource-registry.ts";
export { serve } from "./serve.ts";
export { serveStdio } from "./serve-stdio.ts";
export { createServer, Server } from "./server.ts";
export type { ServerOptions } from "./server.ts";
export { Session } from "./session.ts";
export type { StandardSchema } from "./standard-schema.ts";
export type { Answer, Schema, ToolDefinition } from "./tool-registry.ts";
export { ToolError, ToolResult } from "./tool-result.ts";
