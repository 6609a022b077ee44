/** What a server has, and its limits: everything that a call may look up. */

import type {
  CacheHints,
  Implementation,
  Revision,
  ServerCapabilities,
} from "../protocol/index.ts";
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

export interface Limits {
  /** Calls running at once on one connection: stops a peer from filling the memory with unanswered calls. */
  readonly maxInFlight: number;
  /** Subscriptions and listening streams on one connection: stops a peer from making every change expensive. */
  readonly maxSubscriptions: number;
  /** Items on one page of a list: stops a reply from growing without bound. */
  readonly pageSize: number;
  /** How long a question to the client may stay open: stops a call from waiting for ever. */
  readonly askTimeoutMs: number;
  /** How long an `input_required` answer may be continued: stops an old one from being replayed. */
  readonly requestStateTtlMs: number;
  /** How long calls may finish after the peer has closed: stops a call from keeping the process. */
  readonly drainMs: number;
}

export const defaultLimits: Limits = {
  maxInFlight: 4096,
  maxSubscriptions: 1000,
  pageSize: 1000,
  askTimeoutMs: 10 * 60_000,
  requestStateTtlMs: 60 * 60_000,
  drainMs: 5000,
};

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
