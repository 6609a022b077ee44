/** Holds a value against a description, and says everything that is wrong with it and where. */

import { describeValue, expectOneOf, isObject, type JsonObject } from "../protocol/index.ts";
import type { ChoiceDescription, Description, ObjectDescription, Settings } from "./description.ts";

export type Path = readonly (string | number)[];

export interface ConfigFault {
  readonly path: Path;
  /** Whether the key itself is the mistake, and not what stands behind it. */
  readonly isKey?: boolean;
  /** `<what is>, expected <what should be>`. */
  readonly what: string;
}

export function findFaults(
  value: unknown,
  description: Description,
  path: Path = [],
): readonly ConfigFault[] {
  if ("oneOf" in description) return findChoiceFaults(value, description, path);
  if (typeof description.type !== "string")
    return ["string", "boolean"].includes(typeof value) || Number.isFinite(value)
      ? []
      : refuse(path, value, "a text, a number, or true or false");
  switch (description.type) {
    case "string":
      if (typeof value !== "string") return refuse(path, value, `a text${quotesFor(value)}`);
      if (description.enum !== undefined && !description.enum.includes(value))
        return [
          { path, what: `it is ${describeValue(value)}, ${expectOneOf(value, description.enum)}` },
        ];
      if (value.length < (description.minLength ?? 0))
        return refuse(path, value, "a text that is not empty");
      if (description.pattern !== undefined && !new RegExp(description.pattern).test(value))
        return refuse(path, value, `a text of the form ${description.pattern}`);
      return [];
    case "integer": {
      const { minimum, maximum = Number.MAX_SAFE_INTEGER } = description;
      const isFit =
        Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      const range =
        description.maximum === undefined
          ? `of at least ${minimum}`
          : `from ${minimum} to ${maximum}`;
      return isFit ? [] : refuse(path, value, `a whole number ${range}`);
    }
    case "number":
      return Number.isFinite(value) ? [] : refuse(path, value, "a number");
    case "boolean":
      return typeof value === "boolean" ? [] : refuse(path, value, "true or false");
    case "array":
      if (!Array.isArray(value)) return refuse(path, value, "a list");
      if (value.length < (description.minItems ?? 0))
        return refuse(path, value, `a list of at least ${description.minItems}`);
      return value.flatMap((item, index) => findFaults(item, description.items, [...path, index]));
    case "object":
      break;
  }
  if (!isObject(value)) return refuse(path, value, "keys and values");
  if ("properties" in description) return findMemberFaults(value, description, path);
  const { additionalProperties: each } = description;
  if (each === true) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findFaults(member, each, [...path, name]),
  );
}

/** Whether a value fits. */
export function fits<Shape extends Description>(
  value: unknown,
  shape: Shape,
): value is Settings<Shape> {
  return findFaults(value, shape).length === 0;
}

function findChoiceFaults(
  value: unknown,
  { oneOf }: ChoiceDescription,
  path: Path,
): readonly ConfigFault[] {
  if (!isObject(value)) return refuse(path, value, "keys and values");
  const kinds = oneOf.flatMap(kindsOf);
  const { kind } = value;
  if (kind === undefined)
    return [{ path, what: `it has no kind, ${expectOneOf(undefined, kinds)}` }];
  const chosen = oneOf.find((option) => typeof kind === "string" && kindsOf(option).includes(kind));
  if (chosen !== undefined) return findFaults(value, chosen, path);
  return [
    { path: [...path, "kind"], what: `it is ${describeValue(kind)}, ${expectOneOf(kind, kinds)}` },
  ];
}

function kindsOf({ properties }: ObjectDescription): readonly string[] {
  const kind = properties["kind"];
  return kind !== undefined && "enum" in kind ? (kind.enum ?? []) : [];
}

function findMemberFaults(
  value: JsonObject,
  { properties, required = [] }: ObjectDescription,
  path: Path,
): readonly ConfigFault[] {
  const names = Object.keys(properties);
  const missing = required.filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => ({ path, what: `it has no "${name}", expected one` })),
    ...Object.entries(value).flatMap(([name, member]): readonly ConfigFault[] => {
      const place = [...path, name];
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (shape !== undefined) return findFaults(member, shape, place);
      return [
        { path: place, isKey: true, what: `there is no such key, ${expectOneOf(name, names)}` },
      ];
    }),
  ];
}

function refuse(path: Path, value: unknown, expected: string): readonly ConfigFault[] {
  return [{ path, what: `it is ${describeValue(value)}, expected ${expected}` }];
}

/** YAML takes `1.0` for a number and `true` for a truth value. */
function quotesFor(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean"
    ? `; put it in quotes: "${value}"`
    : "";
}
