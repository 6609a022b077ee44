/** The TypeScript type of what a JSON Schema or a Standard Schema lets through. */

import type { JsonObject } from "../protocol/index.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** What `run` gets for an `input`, or must give for an `output`. */
export type Infer<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends JsonObject
      ? InferJsonSchema<Schema>
      : unknown;

/** Reads `const`, `enum`, `anyOf`, `oneOf`, `type`, `properties`, `required`, `default` and `items`; all else is `unknown`. */
export type InferJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Option)[] }
      ? InferEach<Option>
      : Schema extends { readonly oneOf: readonly (infer Option)[] }
        ? InferEach<Option>
        : Schema extends { readonly type: "object" }
          ? InferObject<Schema>
          : Schema extends { readonly type: "array" }
            ? InferArray<Schema>
            : Schema extends { readonly type: readonly (infer Name)[] }
              ? InferPrimitive<Name>
              : Schema extends { readonly type: infer Name }
                ? InferPrimitive<Name>
                : unknown;

type InferEach<Option> = Option extends unknown ? InferJsonSchema<Option> : never;

type InferArray<Schema> = Schema extends { readonly items: infer Items }
  ? readonly InferJsonSchema<Items>[]
  : readonly unknown[];

type InferObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      { readonly [Name in PresentKeys<Schema, Properties>]: InferJsonSchema<Properties[Name]> } & {
        readonly [
          Name in Exclude<keyof Properties, PresentKeys<Schema, Properties>>
        ]?: InferJsonSchema<Properties[Name]>;
      }
    >
  : JsonObject;

/** Members that are always there: the required ones, and those a default fills in. */
type PresentKeys<Schema, Properties> =
  | Extract<
      keyof Properties,
      Schema extends { readonly required: readonly (infer Name)[] } ? Name : never
    >
  | {
      [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown }
        ? Name
        : never;
    }[keyof Properties];

type InferPrimitive<Name> = Name extends "string"
  ? string
  : Name extends "number" | "integer"
    ? number
    : Name extends "boolean"
      ? boolean
      : Name extends "null"
        ? null
        : Name extends "array"
          ? readonly unknown[]
          : Name extends "object"
            ? JsonObject
            : unknown;

type Simplify<Type> = { [Name in keyof Type]: Type[Name] };
