/** What one revision of MCP has and demands; each revision's file fills in this shape. */

import type { ClientRequestMethod, ServerRequestMethod } from "../method.ts";

export interface Revision {
  /** The date that names it on the wire. */
  readonly version: string;
  /** `handshake`: `initialize` opens a session. `stateless`: every request says who asks, in `_meta`. */
  readonly era: "handshake" | "stateless";
  readonly clientRequests: ReadonlySet<ClientRequestMethod>;
  readonly serverRequests: ReadonlySet<ServerRequestMethod>;

  /** Whether a JSON array of messages is a batch to be answered. */
  readonly batches: boolean;
  /** How an error reply says that the request's id could not be read. */
  readonly unreadableId: "null" | "omitted";
  /** How arguments that do not fit a tool's schema are answered. */
  readonly invalidArguments: "protocol error" | "tool error";
  /** The code for a resource that does not exist. */
  readonly resourceNotFound: -32002 | -32602;
  /** What `structuredContent` may be. */
  readonly structuredContent: "none" | "object" | "any";
  /** The kinds of content block that readers of this revision know. */
  readonly contentTypes: ReadonlySet<string>;
  /** Whether a progress notification has a `message`. */
  readonly progressMessage: boolean;
  /** Whether the `completions` capability exists. */
  readonly completionsCapability: boolean;
  readonly elicitation: "none" | "form" | "form and url";
  /** Whether a URL elicitation carries an id and ends by `notifications/elicitation/complete`. */
  readonly elicitationIds: boolean;
  /** Whether `ttlMs` and `cacheScope` stand on lists, reads and discovery. */
  readonly cacheHints: boolean;
  /** The members each definition has; a server leaves out what a revision does not know. */
  readonly members: {
    readonly implementation: readonly string[];
    readonly tool: readonly string[];
    readonly resource: readonly string[];
    readonly resourceTemplate: readonly string[];
    readonly prompt: readonly string[];
    readonly promptArgument: readonly string[];
  };
}
