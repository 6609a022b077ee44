/** Checks what goes into a tool and what comes out of it, by the schema that the tool published. */

import { isObject, type JsonObject } from "../protocol/index.ts";
import { propertyNamesOf } from "./check-schema.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
import { compileValidator, describeUnknownArgument, type Validator } from "./validator.ts";

/** The value that may be used, or what is wrong with it. */
export type Checked<Value> = { readonly value: Value } | { readonly issues: readonly string[] };

export interface Check<Value> {
  /** Checks now when it can, and later while its validator is still to be loaded. */
  check(value: unknown): Checked<Value> | Promise<Checked<Value>>;
  /** Loads the validator. */
  prepare(): Promise<void>;
}

/** Checks by a JSON Schema; its validator is compiled when the first value comes, or ahead by `prepare`. */
export function createJsonSchemaCheck<Value>(schema: JsonObject): Check<Value> {
  let validator: Validator<Value> | undefined;
  let loading: Promise<Validator<Value>> | undefined;
  const load = async (): Promise<Validator<Value>> => {
    loading ??= compileValidator<Value>(schema);
    validator = await loading;
    return validator;
  };
  return {
    check: (value) => (validator === undefined ? load().then((late) => apply(late, value)) : apply(validator, value)),
    prepare: async () => {
      await load();
    },
  };
}

function apply<Value>({ fits, explain }: Validator<Value>, value: unknown): Checked<Value> {
  return fits(value) ? { value } : { issues: explain(value) };
}

/**
 * Checks by the library that made the schema. That no unknown member passes is seen to here, by the published JSON Schema:
 * most libraries drop them in silence.
 */
export function createStandardCheck<Value>(schema: StandardSchema<Value>, published: JsonObject): Check<Value> {
  const known = published["additionalProperties"] === false ? propertyNamesOf(published) : undefined;
  return {
    check: (value) => {
      const unknown = known === undefined || !isObject(value) ? [] : Object.keys(value).filter((name) => !known.includes(name));
      if (unknown.length > 0) return { issues: unknown.slice(0, 10).map((name) => describeUnknownArgument(name, known ?? [])) };
      const result = schema["~standard"].validate(value);
      return result instanceof Promise ? result.then(toChecked) : toChecked(result);
    },
    prepare: async () => {}, // the library is there already: its author imported it
  };
}

function toChecked<Value>(result: StandardResult<Value>): Checked<Value> {
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.slice(0, 10).map(describeIssue) };
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const place = path.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join(".");
  return place === "" ? message : `${JSON.stringify(place)}: ${message}`;
}
