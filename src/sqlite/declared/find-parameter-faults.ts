/** Says what is wrong with the parameters of a declared tool: each of them is bounded, used, and of one type throughout. */

import { describeValue } from "../../protocol/index.ts";
import type { DeclarationFault, ParameterDeclaration } from "./declaration.ts";
import { findValueFault, isOfType, isPattern, typeNames } from "./find-value-fault.ts";
import { parameterName } from "./read-statement.ts";

/** @param used the parameters of the statement @param inputCharacters the longest text that may be an argument */
export function findParameterFaults(
  parameters: readonly ParameterDeclaration[],
  used: readonly string[],
  inputCharacters: number,
): readonly DeclarationFault[] {
  return parameters.flatMap((parameter, index) => {
    const { name } = parameter;
    const isTwin = parameters.slice(0, index).some((earlier) => earlier.name === name);
    const found = [
      ...findNameFaults(name, isTwin, used),
      ...findBoundFaults(parameter, inputCharacters),
      ...findChoiceFaults(parameter),
      ...findDefaultFaults(parameter),
    ];
    return found.map(([key, what]) => ({
      path: key === undefined ? [index] : [index, ...key.split(".")],
      what,
    }));
  });
}

/** The key of the parameter, none for all of it, and what is wrong there. */
type Found = readonly [key: string | undefined, what: string];

function findNameFaults(name: string, isTwin: boolean, used: readonly string[]): readonly Found[] {
  if (!parameterName.test(name))
    return [
      [
        "name",
        `it is ${describeValue(name)}, expected 1 to 64 of A-Z a-z 0-9 _, beginning with a letter`,
      ],
    ];
  if (name === "task_id" || name === "call_id")
    return [["name", `"${name}" is the gate's own, expected another name`]];
  if (isTwin) return [["name", `there is another "${name}" before it, expected one`]];
  if (used.includes(name)) return [];
  return [["name", `the statement does not use "${name}", expected :${name} in it`]];
}

function findBoundFaults(
  parameter: ParameterDeclaration,
  inputCharacters: number,
): readonly Found[] {
  const { type, maxLength, minimum, maximum, pattern, enum: allowed } = parameter;
  const found: Found[] = [];
  const strangers =
    type === "string"
      ? (["minimum", "maximum"] as const)
      : type === "boolean"
        ? (["maxLength", "pattern", "minimum", "maximum", "enum"] as const)
        : (["maxLength", "pattern"] as const);
  for (const key of strangers)
    if (parameter[key] !== undefined)
      found.push([key, `it bounds nothing here, expected no such key for ${typeNames[type]}`]);
  switch (type) {
    case "string":
      if (maxLength === undefined && allowed === undefined)
        found.push([
          undefined,
          `it is a text without a bound, expected "maxLength" of at most ${inputCharacters} (inputCharacters), or "enum"`,
        ]);
      if (maxLength !== undefined && maxLength > inputCharacters)
        found.push([
          "maxLength",
          `it is ${maxLength}, expected at most ${inputCharacters} (inputCharacters)`,
        ]);
      if (pattern !== undefined && !isPattern(pattern))
        found.push([
          "pattern",
          `it is ${describeValue(pattern)}, expected a regular expression of JavaScript`,
        ]);
      return found;
    case "integer":
    case "number":
      for (const key of ["minimum", "maximum"] as const) {
        const bound = parameter[key];
        if (bound === undefined) {
          if (allowed === undefined)
            found.push([undefined, `it is ${typeNames[type]} without "${key}", expected one`]);
        } else if (!isOfType(bound, type))
          found.push([
            key,
            `it is ${describeValue(bound)}, expected ${typeNames[type]}${type === "integer" ? " within ±9007199254740991" : ""}`,
          ]);
      }
      if (minimum !== undefined && maximum !== undefined && minimum > maximum)
        found.push(["maximum", `it is ${maximum}, expected at least ${minimum}, the minimum`]);
      return found;
    case "boolean":
      return found;
  }
}

function findChoiceFaults(parameter: ParameterDeclaration): readonly Found[] {
  const { enum: allowed, ...bounds } = parameter;
  if (allowed === undefined || parameter.type === "boolean") return [];
  return allowed.flatMap((value, index): readonly Found[] => {
    const fault =
      allowed.indexOf(value) < index
        ? `${describeValue(value)} is there twice, expected it once`
        : findValueFault(value, bounds);
    return fault === undefined ? [] : [[`enum.${index}`, fault]];
  });
}

function findDefaultFaults(parameter: ParameterDeclaration): readonly Found[] {
  const { default: fallback, required } = parameter;
  if (fallback === undefined) return [];
  if (required === true)
    return [["required", "it is true and there is a default, expected one of the two"]];
  const fault = findValueFault(fallback, parameter);
  return fault === undefined ? [] : [["default", fault]];
}
