/** What tools, prompts and resources carry: text, pictures, sound, links and embedded resources. */

import type { JsonObject } from "./json.ts";

export type Role = "user" | "assistant";

/** Hints for the client about how to use or show something. */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601; since 2025-06-18. */
  readonly lastModified?: string;
}

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

/** Since 2025-03-26. */
export interface AudioContent {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

/** Since 2025-06-18. */
export interface ResourceLink {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

export interface EmbeddedResource {
  readonly type: "resource";
  readonly resource: ResourceContents;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource;

export type ResourceContents = TextResourceContents | BlobResourceContents;

export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: JsonObject;
}

export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly blob: string;
  readonly _meta?: JsonObject;
}

/** Since 2025-11-25. */
export interface Icon {
  /** An https: or data: URI. */
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}
