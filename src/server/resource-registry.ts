/** The resources and resource templates of a server. */

import type {
  CacheHints,
  JsonObject,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from "../protocol/index.ts";
import type { Complete } from "./completer.ts";
import type { Context } from "./context.ts";
import { Registry } from "./registry.ts";
import { parseUriTemplate, type UriTemplate } from "./uri-template.ts";

/** What reading gives: a text, bytes, or contents written out. */
export type ResourceValue = string | Uint8Array | readonly ResourceContents[];

export interface ResourceDefinition extends Resource {
  /** How long a client may keep what was read; default: as the server's. */
  readonly cache?: CacheHints;
  readonly read: (uri: string, context: Context) => ResourceValue | Promise<ResourceValue>;
}

export interface ResourceTemplateDefinition extends ResourceTemplate {
  readonly cache?: CacheHints;
  /** Completes a variable, by its name. */
  readonly complete?: { readonly [variable: string]: Complete };
  /** Gives `undefined` when there is no such resource. */
  readonly read: (
    uri: string,
    variables: { readonly [name: string]: string },
    context: Context,
  ) => ResourceValue | undefined | Promise<ResourceValue | undefined>;
}

interface RegisteredTemplate extends ResourceTemplateDefinition {
  readonly parsed: UriTemplate;
}

/** A resource that a URI leads to. */
export interface FoundResource {
  readonly mimeType: string | undefined;
  readonly cache: CacheHints | undefined;
  read(context: Context): ResourceValue | undefined | Promise<ResourceValue | undefined>;
}

export class ResourceRegistry {
  readonly fixed: Registry<ResourceDefinition>;
  readonly templates: Registry<RegisteredTemplate>;

  constructor(onChange: () => void) {
    this.fixed = new Registry("resource", onChange);
    this.templates = new Registry("resource template", onChange);
  }

  get isUsed(): boolean {
    return this.fixed.isUsed || this.templates.isUsed;
  }

  get hasCompletions(): boolean {
    return this.templates.values().some(({ complete }) => complete !== undefined);
  }

  add(definition: ResourceDefinition): void {
    this.fixed.add(definition.uri, definition);
  }

  addTemplate(definition: ResourceTemplateDefinition): void {
    const parsed = parseUriTemplate(definition.uriTemplate);
    this.templates.add(definition.uriTemplate, { ...definition, parsed });
  }

  /** Finds what a URI leads to: a resource of that name first, then the first template that fits. */
  find(uri: string): FoundResource | undefined {
    const resource = this.fixed.get(uri);
    if (resource !== undefined) {
      const { mimeType, cache } = resource;
      return { mimeType, cache, read: (context) => resource.read(uri, context) };
    }
    for (const template of this.templates.values()) {
      const variables = template.parsed.match(uri);
      if (variables === undefined) continue;
      const { mimeType, cache } = template;
      return { mimeType, cache, read: (context) => template.read(uri, variables, context) };
    }
    return undefined;
  }
}

/** Makes the result of `resources/read` out of what an author's function gave. */
export function toReadResult(
  uri: string,
  mimeType: string | undefined,
  value: ResourceValue,
): ReadResourceResult & JsonObject {
  const type = mimeType === undefined ? {} : { mimeType };
  if (typeof value === "string") return { contents: [{ uri, ...type, text: value }] };
  if (value instanceof Uint8Array)
    return { contents: [{ uri, ...type, blob: Buffer.from(value).toString("base64") }] };
  return { contents: value };
}
