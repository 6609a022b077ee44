/** Holds a value against a parameter's declaration: a default, one of an enum, an example's argument. */

import { describeValue } from "../../protocol/index.ts";
import type { ParameterDeclaration } from "./declaration.ts";

/** Gives `<what is>, expected <what should be>`, in the words of the configuration, or `undefined` for a value that fits. */
export function findValueFault(
  value: unknown,
  { type, maxLength, minimum, maximum, enum: allowed, pattern }: ParameterDeclaration,
): string | undefined {
  const refuse = (expected: string): string =>
    `it is ${describeValue(value)}, expected ${expected}`;
  if (!isOfType(value, type)) return refuse(typeNames[type]);
  if (allowed !== undefined && !allowed.some((each) => each === value))
    return refuse(`one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}`);
  if (typeof value === "string") {
    if (maxLength !== undefined && countCharacters(value) > maxLength)
      return refuse(`at most ${maxLength} characters (maxLength)`);
    if (pattern !== undefined && isPattern(pattern) && !new RegExp(pattern, "u").test(value))
      return refuse(`a text that fits ${pattern}`);
  }
  if (typeof value === "number") {
    if (minimum !== undefined && value < minimum) return refuse(`at least ${minimum} (minimum)`);
    if (maximum !== undefined && value > maximum) return refuse(`at most ${maximum} (maximum)`);
  }
  return undefined;
}

export const typeNames: Readonly<Record<ParameterDeclaration["type"], string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** Whether it can be read, as JSON Schema reads it. */
export function isPattern(pattern: string): boolean {
  try {
    void new RegExp(pattern, "u");
    return true;
  } catch {
    return false; // its fault is told where it stands
  }
}

/** JSON Schema counts characters, not code units. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

export function isOfType(value: unknown, type: ParameterDeclaration["type"]): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return Number.isFinite(value);
    case "string":
    case "boolean":
      return typeof value === type;
  }
}
