/** What a server may ask of the client: elicitation, sampling and roots. */

import type { AudioContent, ContentBlock, ImageContent, Role, TextContent } from "./content.ts";
import type { JsonObject } from "./json.ts";
import type { Tool } from "./tool.ts";

/** A question to the person behind the client; since 2025-06-18. */
export type ElicitParams = ElicitFormParams | ElicitUrlParams;

export interface ElicitFormParams {
  readonly mode?: "form";
  readonly message: string;
  /** A flat object of strings, numbers, booleans and choices. */
  readonly requestedSchema: ElicitSchema;
}

export interface ElicitSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: JsonObject };
  readonly required?: readonly string[];
}

/** Sends the person to a page, for what must not pass through the client; since 2025-11-25. */
export interface ElicitUrlParams {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
}

export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: { readonly [name: string]: string | number | boolean | readonly string[] };
}

export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly includeContext?: "none" | "thisServer" | "allServers";
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: ModelPreferences;
  readonly metadata?: JsonObject;
  /** Since 2025-11-25, where the client declares `sampling.tools`. */
  readonly tools?: readonly Tool[];
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
}

export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

export interface SamplingMessage {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
}

export type SamplingContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface CreateMessageResult extends SamplingMessage {
  readonly model: string;
  readonly stopReason?: string;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
}

export interface Root {
  /** A file: URI. */
  readonly uri: string;
  readonly name?: string;
}
