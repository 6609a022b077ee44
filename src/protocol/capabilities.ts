/** Who the two sides are and what they can do. */

import type { Icon } from "./content.ts";
import type { JsonObject } from "./json.ts";

export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

export interface ClientCapabilities {
  readonly experimental?: { readonly [name: string]: JsonObject };
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly context?: JsonObject; readonly tools?: JsonObject };
  /** An empty object means form mode only. */
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly extensions?: { readonly [name: string]: JsonObject };
}

export interface ServerCapabilities {
  readonly experimental?: { readonly [name: string]: JsonObject };
  readonly logging?: JsonObject;
  readonly completions?: JsonObject;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  readonly extensions?: { readonly [name: string]: JsonObject };
}
