/** The part of Standard Schema that Genkan reads, so that Zod, Valibot and ArkType schemas work as they are. */

import { isObject, UsageError, type JsonObject } from "../protocol/index.ts";

/** A schema that validates and can describe itself as JSON Schema. https://standardschema.dev */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Is true for a value with the `~standard` member; ArkType's are functions. */
export function isStandardSchema<Output>(value: unknown): value is StandardSchema<Output> {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  return "~standard" in value && isObject(value["~standard"]);
}

/** Gives the JSON Schema of a Standard Schema. Throws a `UsageError` where the library cannot make one. */
export function toJsonSchema(schema: StandardSchema, side: "input" | "output"): JsonObject {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    const hint =
      vendor === "valibot"
        ? `wrap it: toStandardJsonSchema(schema) of "@valibot/to-json-schema"`
        : undefined;
    throw new UsageError(
      "schema-without-json-schema",
      `Cannot describe a ${vendor} schema: it has no "~standard".jsonSchema, expected one`,
      hint === undefined ? {} : { hint },
    );
  }
  try {
    return jsonSchema[side]({ target: "draft-2020-12" });
  } catch (cause) {
    throw new UsageError(
      "schema-without-json-schema",
      `Cannot describe a ${vendor} schema as JSON Schema 2020-12`,
      { cause },
    );
  }
}
