/** What a tool's declaration must be before the gate takes it: every argument bounded, and nothing left to guess. */

import { describeValue, isObject, type JsonObject } from "../protocol/index.ts";
import { findListFaults } from "./lists.ts";

/** How often an argument may make a tool repeat something: stops one call from being a thousand. */
export const maxLoopBound = 1000;

/** Lists what is wrong with an input schema, one sentence each. */
export function findInputFaults(schema: JsonObject, loops: readonly string[]): readonly string[] {
  const faults = isClosed(schema)
    ? []
    : [`its input is open, expected "additionalProperties": false`];
  const properties = mapOf(schema["properties"]);
  const reserved = ["task_id", "call_id"].filter((name) => Object.hasOwn(properties, name));
  for (const name of reserved)
    faults.push(`its argument "${name}" is the gate's own, expected another name`);
  for (const name of loops) faults.push(...findLoopFaults(name, properties[name]));
  findBoundFaults(schema, "input", faults);
  return faults;
}

/** Lists what is wrong with an output schema. */
export function findOutputFaults(schema: JsonObject): readonly string[] {
  return findListFaults(schema);
}

function findLoopFaults(name: string, schema: unknown): readonly string[] {
  const bound = isObject(schema) ? (schema["maximum"] ?? schema["maxItems"]) : undefined;
  if (typeof bound === "number" && bound <= maxLoopBound) return [];
  return [
    `its loop argument "${name}" has the bound ${describeValue(bound)}, expected a "maximum" or "maxItems" of at most ${maxLoopBound}`,
  ];
}

/** Walks everything that admits values; what only restricts (`not`, `if`, `pattern`) needs no bound. */
function findBoundFaults(schema: unknown, place: string, faults: string[]): void {
  if (!isObject(schema)) {
    if (schema !== false) faults.push(`"${place}" takes any value, expected a type with a bound`);
    return;
  }
  for (const [name, member] of Object.entries(mapOf(schema["$defs"] ?? schema["definitions"])))
    findBoundFaults(member, `$defs.${name}`, faults);
  const branches = branchesOf(schema);
  for (const branch of branches) findBoundFaults(branch, place, faults);
  if (schema["const"] !== undefined || Array.isArray(schema["enum"])) return;
  if (schema["$ref"] !== undefined || (schema["type"] === undefined && branches.length > 0)) return;
  const types: readonly unknown[] = Array.isArray(schema["type"])
    ? schema["type"]
    : [schema["type"]];
  for (const type of types) faults.push(...findTypeFaults(type, schema, place));
  for (const [name, member] of Object.entries(mapOf(schema["properties"])))
    findBoundFaults(member, place === "input" ? name : `${place}.${name}`, faults);
  if (types.includes("array")) {
    for (const [index, item] of listOf(schema["prefixItems"]).entries())
      findBoundFaults(item, `${place}.${index}`, faults);
    findBoundFaults(schema["items"], `${place}[]`, faults);
  }
}

function findTypeFaults(type: unknown, schema: JsonObject, place: string): readonly string[] {
  switch (type) {
    case "boolean":
    case "null":
      return [];
    case "number":
    case "integer":
      return hasNumber(schema, "maximum", "exclusiveMaximum")
        ? []
        : [`"${place}" is a number without "maximum"`];
    case "string":
      return hasNumber(schema, "maxLength") ? [] : [`"${place}" is a string without "maxLength"`];
    case "array":
      return hasNumber(schema, "maxItems") ? [] : [`"${place}" is an array without "maxItems"`];
    case "object":
      return place === "input" || isClosed(schema)
        ? []
        : [`"${place}" is an open object, expected "additionalProperties": false`];
    default:
      return [`"${place}" has the type ${describeValue(type)}, expected one of JSON Schema's`];
  }
}

function isClosed(schema: JsonObject): boolean {
  return (
    schema["type"] === "object" &&
    schema["additionalProperties"] === false &&
    schema["patternProperties"] === undefined
  );
}

function hasNumber(schema: JsonObject, ...keywords: readonly string[]): boolean {
  return keywords.some((keyword) => typeof schema[keyword] === "number");
}

function branchesOf(schema: JsonObject): readonly unknown[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((keyword) => listOf(schema[keyword]));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
