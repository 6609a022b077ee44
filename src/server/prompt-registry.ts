/** The prompts of a server. */

import type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from "../protocol/index.ts";
import type { Complete } from "./completer.ts";
import type { Context } from "./context.ts";
import { Registry } from "./registry.ts";

export interface PromptArgumentDefinition extends PromptArgument {
  readonly complete?: Complete;
}

export interface PromptDefinition extends Omit<Prompt, "arguments"> {
  readonly arguments?: readonly PromptArgumentDefinition[];
  /** Gives the text of one user message, the messages, or the whole result. */
  readonly get: (
    args: { readonly [name: string]: string },
    context: Context,
  ) => PromptValue | Promise<PromptValue>;
}

export type PromptValue = string | readonly PromptMessage[] | GetPromptResult;

export class PromptRegistry extends Registry<PromptDefinition> {
  constructor(onChange: () => void) {
    super("prompt", onChange);
  }

  get hasCompletions(): boolean {
    return this.values().some(
      (prompt) => prompt.arguments?.some(({ complete }) => complete !== undefined) === true,
    );
  }
}

/** Makes the result of `prompts/get` out of what an author's function gave. */
export function toPromptResult(prompt: PromptDefinition, value: PromptValue): GetPromptResult {
  const { description } = prompt;
  const described = description === undefined ? {} : { description };
  if (typeof value === "string") {
    return { ...described, messages: [{ role: "user", content: { type: "text", text: value } }] };
  }
  return "messages" in value ? value : { ...described, messages: value };
}
