/** What a server has: everything that a call may look up. */

import type {
  CacheHints,
  Implementation,
  Revision,
  ServerCapabilities,
} from "../protocol/index.ts";
import type { Limits } from "./limits.ts";
import type { PromptRegistry } from "./prompt-registry.ts";
import type { RequestStateSeal } from "./request-state.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import type { ToolRegistry } from "./tool-registry.ts";

export interface Catalogue {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly hasLogging: boolean;
  readonly cache: CacheHints;
  readonly limits: Limits;
  readonly tools: ToolRegistry;
  readonly resources: ResourceRegistry;
  readonly prompts: PromptRegistry;
  /** Seals what a stateless client carries between two rounds; made when a call first asks its client. */
  readonly getSeal: () => Promise<RequestStateSeal>;
  /** Tells the person who runs the server, and never a peer, one line of text. */
  readonly report: (text: string) => void;
}

/** Declares what is really there, in the words of a revision; `tools` also while there are none yet. */
export function capabilitiesOf(catalogue: Catalogue, revision: Revision): ServerCapabilities {
  const { resources, prompts, hasLogging } = catalogue;
  return {
    tools: { listChanged: true },
    ...(resources.isUsed && { resources: { subscribe: true, listChanged: true } }),
    ...(prompts.isUsed && { prompts: { listChanged: true } }),
    ...(hasLogging && { logging: {} }),
    ...(revision.completionsCapability && hasCompletions(catalogue) && { completions: {} }),
  };
}

/** Is true when a prompt or a template completes an argument. */
export function hasCompletions({ prompts, resources }: Catalogue): boolean {
  return prompts.hasCompletions || resources.hasCompletions;
}
