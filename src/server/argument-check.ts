/** Checks what goes into a tool and what comes out of it, by the schema that the tool published. */

import { isObject, type JsonObject } from "../protocol/index.ts";
import { propertyNamesOf } from "./check-schema.ts";
import {
  isStandardSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from "./standard-schema.ts";
import { compileValidator, describeUnknownArgument } from "./validator.ts";

/** The value that may be used, or what is wrong with it. */
export type Checked<Value> = { readonly value: Value } | { readonly issues: readonly string[] };

/** Checks one value; a Standard Schema may take its time. */
export type Check<Value> = (value: unknown) => Checked<Value> | Promise<Checked<Value>>;

/**
 * Makes the check for a schema; `published` is what clients see of it.
 *
 * Only an input has its defaults filled in: an output is the author's own value, and may be shared or frozen.
 */
export async function loadCheck<Value>(
  schema: JsonObject | StandardSchema,
  published: JsonObject,
  side: "input" | "output",
): Promise<Check<Value>> {
  if (isStandardSchema<Value>(schema)) return createStandardCheck(schema, published);
  const { fits, explain } = await compileValidator<Value>(published, side === "input");
  return (value) => {
    try {
      return fits(value) ? { value } : { issues: explain(value) };
    } catch (thrown) {
      return refuseDepth(thrown);
    }
  };
}

/** A recursive schema is checked by functions that call themselves: a value can nest deeper than they may. */
function refuseDepth(thrown: unknown): { readonly issues: readonly string[] } {
  if (!(thrown instanceof RangeError)) throw thrown;
  return { issues: ["the value nests too deep to be checked"] };
}

/**
 * Checks by the library that made the schema. That no unknown member passes is seen to here, by the published JSON Schema:
 * most libraries drop them in silence.
 */
function createStandardCheck<Value>(
  schema: StandardSchema<Value>,
  published: JsonObject,
): Check<Value> {
  const known =
    published["additionalProperties"] === false ? propertyNamesOf(published) : undefined;
  return (value) => {
    const unknown =
      known === undefined || !isObject(value)
        ? []
        : Object.keys(value).filter((name) => !known.includes(name));
    if (unknown.length > 0)
      return {
        issues: unknown.slice(0, 10).map((name) => describeUnknownArgument(name, known ?? [])),
      };
    const result = schema["~standard"].validate(value);
    return result instanceof Promise ? result.then(toChecked) : toChecked(result);
  };
}

function toChecked<Value>(result: StandardResult<Value>): Checked<Value> {
  return result.issues === undefined
    ? { value: result.value }
    : { issues: result.issues.slice(0, 10).map(describeIssue) };
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const place = path
    .map((segment) => String(typeof segment === "object" ? segment.key : segment))
    .join(".");
  return place === "" ? message : `${JSON.stringify(place)}: ${message}`;
}
