/** Tools: their definition, and what calling one gives. */

import type { ContentBlock, Icon } from "./content.ts";
import type { JsonObject } from "./json.ts";

/** A tool's JSON Schema; the root describes an object. */
export interface ObjectSchema extends JsonObject {
  readonly type: "object";
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** Hints; a client must not trust them from a server it does not trust. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** An object up to 2025-11-25, any JSON value since 2026-07-28. */
  readonly structuredContent?: unknown;
  /** The tool ran and failed in a way that a model can mend. */
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}
