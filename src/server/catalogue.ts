/** What a server has: everything a call may look up. */

import type { Implementation, Revision, ServerCapabilities } from "../protocol/index.ts";
import type { Limits } from "./limits.ts";
import type { PromptRegistry } from "./prompt-registry.ts";
import type { Reporter } from "./report.ts";
import type { RequestStateSeal } from "./request-state.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** How long, and by whom, a list may be kept; since 2026-07-28. */
export interface CacheHints {
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

export interface Catalogue {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly hasLogging: boolean;
  readonly cache: CacheHints;
  readonly limits: Limits;
  readonly tools: ToolRegistry;
  readonly resources: ResourceRegistry;
  readonly prompts: PromptRegistry;
  readonly seal: RequestStateSeal;
  readonly report: Reporter;
}

/** Declares what is really there, in the words of a revision; `tools` also while there are none yet. */
export function capabilitiesOf(catalogue: Catalogue, revision: Revision): ServerCapabilities {
  const { resources, prompts, hasLogging } = catalogue;
  return {
    tools: { listChanged: true },
    ...(!resources.isEmpty && { resources: { subscribe: true, listChanged: true } }),
    ...(!prompts.isEmpty && { prompts: { listChanged: true } }),
    ...(hasLogging && { logging: {} }),
    ...(revision.completionsCapability && hasCompletions(catalogue) && { completions: {} }),
  };
}

/** Is true when a prompt or a template completes an argument. */
export function hasCompletions({ prompts, resources }: Catalogue): boolean {
  return prompts.hasCompletions || resources.hasCompletions;
}
