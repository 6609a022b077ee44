/** What the values of JSON Schema's keywords must be: a mistake is told where a schema is published, not by the first call. */

import { isObject } from "../protocol/index.ts";

/** Gives what was expected in the value's place, or `undefined` where it is right or the keyword has no rule. */
export function findExpected(keyword: string, value: unknown): string | undefined {
  const rule = rules.get(keyword);
  return rule === undefined || rule.holds(value) ? undefined : rule.expected;
}

interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const number: Rule = { expected: "a number", holds: (value) => typeof value === "number" };
const count: Rule = {
  expected: "a whole number of at least 0",
  holds: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const step: Rule = {
  expected: "a number above 0",
  holds: (value) => typeof value === "number" && value > 0,
};
const flag: Rule = { expected: "true or false", holds: (value) => typeof value === "boolean" };
const list: Rule = { expected: "a list", holds: (value) => Array.isArray(value) };
const names: Rule = {
  expected: "a list of strings",
  holds: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};
const schema: Rule = { expected: "a schema", holds: isSchema };
const schemas: Rule = {
  expected: "a list of schemas, and not an empty one",
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
};
const items: Rule = {
  expected: "a schema", // or several, in draft-07
  holds: (value) => isSchema(value) || schemas.holds(value),
};
const map: Rule = {
  expected: "an object whose members are schemas",
  holds: (value) => isObject(value) && Object.values(value).every(isSchema),
};

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === "boolean";
}

// prettier-ignore
const keywords: readonly (readonly [Rule, string])[] = [
  [number, "maximum minimum exclusiveMaximum exclusiveMinimum"],
  [step, "multipleOf"],
  [count, "maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties"],
  [flag, "uniqueItems"],
  [names, "required"],
  [list, "enum"],
  [schemas, "allOf anyOf oneOf prefixItems"],
  [schema, "additionalItems additionalProperties contains else if not propertyNames then unevaluatedItems unevaluatedProperties"],
  [items, "items"],
  [map, "$defs definitions dependentSchemas patternProperties properties"],
];

const rules: ReadonlyMap<string, Rule> = new Map(
  keywords.flatMap(([rule, words]) => words.split(" ").map((word) => [word, rule] as const)),
);
