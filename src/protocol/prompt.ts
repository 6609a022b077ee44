/** Prompts, and completion of their arguments and of resource templates. */

import type { ContentBlock, Icon, Role } from "./content.ts";
import type { JsonObject } from "./json.ts";

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
}

/** What is being completed: a prompt by its name, or a resource template by its URI template. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string; readonly title?: string }
  | { readonly type: "ref/resource"; readonly uri: string };

export interface Completion {
  /** At most 100, best first. */
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}
