/** What a tool's schema must be before a server publishes it: an object, of bounded size, with nothing to fetch. */

import {
  describeValue,
  isObject,
  UsageError,
  type JsonObject,
  type ObjectSchema,
} from "../protocol/index.ts";
import { findExpected } from "./schema-keywords.ts";

/** How deep a schema may nest: it stops a schema from exhausting the validator's stack. */
const maxSchemaDepth = 64;
/** How many subschemas a schema may have: it stops a schema from taking seconds to compile. */
const maxSubschemas = 4096;

/** Words whose value is data, not a schema. */
const dataKeywords = new Set(["const", "default", "enum", "examples"]);
/** Words whose value is a map: its keys are names of the author's, and words to nobody. */
const mapKeywords = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

const draft07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const draft202012 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Gives the dialect that `$schema` names, 2020-12 when it names none, or `undefined` for one that Genkan does not validate. */
export function dialectOf({ $schema }: JsonObject): "2020-12" | "draft-07" | undefined {
  if ($schema === undefined) return "2020-12";
  if (typeof $schema !== "string") return undefined;
  if (draft202012.test($schema)) return "2020-12";
  return draft07.test($schema) ? "draft-07" : undefined;
}

/**
 * Gives the schema to publish: an object schema, closed (`additionalProperties: false`) unless it says otherwise, so that
 * an argument nobody declared is refused by the very schema that clients see.
 */
export function toInputSchema(schema: JsonObject, owner: string, isOurs = true): ObjectSchema {
  checkSchema(schema, owner, isOurs);
  if (schema["type"] !== "object") {
    throw invalidSchema(owner, `its "type" is ${describeValue(schema["type"])}, expected "object"`);
  }
  return isOpen(schema)
    ? { ...schema, type: "object" }
    : { ...schema, type: "object", additionalProperties: false };
}

/**
 * Throws a `UsageError` for a schema of another dialect, too deep, too large, or that refers outside of itself.
 *
 * @param isOurs whether Genkan validates by it: then its patterns must be readable
 */
export function checkSchema(schema: JsonObject, owner: string, isOurs = true): void {
  if (dialectOf(schema) === undefined) {
    const expected = "expected JSON Schema 2020-12 or draft-07";
    throw invalidSchema(owner, `its "$schema" is ${describeValue(schema["$schema"])}, ${expected}`);
  }
  let count = 0;
  const walk = (value: unknown, depth: number, kind: "schema" | "map" | "data"): void => {
    if (typeof value !== "object" || value === null) return;
    if (depth > maxSchemaDepth)
      throw invalidSchema(owner, `it nests deeper, expected at most ${maxSchemaDepth} levels`);
    if (++count > maxSubschemas)
      throw invalidSchema(owner, `it has more parts, expected at most ${maxSubschemas}`);
    for (const [key, member] of Object.entries(value)) {
      if (kind === "schema" && isReference(key)) checkReference(member, owner);
      if (kind === "schema" && key === "type") checkType(member, owner);
      if (kind === "schema" && key === "$async")
        throw invalidSchema(
          owner,
          `it has "$async", with which a validator would let everything through`,
        );
      if (kind === "schema" && key === "pattern" && isOurs) checkPattern(member, owner);
      if (kind === "schema" && key === "patternProperties" && isOurs && isObject(member))
        for (const pattern of Object.keys(member)) checkPattern(pattern, owner);
      if (kind === "schema" && isOurs) checkKeyword(key, member, owner);
      if (kind === "schema" && mapKeywords.has(key) && !isObject(member)) {
        throw invalidSchema(owner, `a "${key}" is ${describeValue(member)}, expected an object`);
      }
      walk(member, depth + 1, kind === "schema" ? kindOf(key) : kind === "map" ? "schema" : kind);
    }
  };
  walk(schema, 0, "schema");
}

function kindOf(keyword: string): "schema" | "map" | "data" {
  if (mapKeywords.has(keyword)) return "map";
  return dataKeywords.has(keyword) ? "data" : "schema";
}

function isReference(keyword: string): boolean {
  return keyword === "$ref" || keyword === "$dynamicRef";
}

/** A reference must stay inside the document: MCP 2026-07-28 forbids fetching one from the network. */
function checkReference(reference: unknown, owner: string): void {
  if (typeof reference === "string" && reference.startsWith("#")) return;
  throw invalidSchema(
    owner,
    `a "$ref" is ${describeValue(reference)}, expected one that begins with "#"`,
  );
}

/** A misspelt type would be found only by the first call, and then as a fault of the server. */
function checkType(type: unknown, owner: string): void {
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  const unknown = named.find((name) => typeof name !== "string" || !typeNames.includes(name));
  if (unknown === undefined && named.length > 0) return;
  throw invalidSchema(
    owner,
    `a "type" is ${describeValue(unknown)}, expected ${typeNames.join(", ")}, or several of them`,
  );
}

/** As for types: the validator takes a schema as it is. */
function checkKeyword(keyword: string, value: unknown, owner: string): void {
  const expected = findExpected(keyword, value);
  if (value === undefined || expected === undefined) return;
  throw invalidSchema(owner, `a "${keyword}" is ${describeValue(value)}, expected ${expected}`);
}

/** As for types; patterns are read as JSON Schema says, with the `u` flag. */
function checkPattern(pattern: unknown, owner: string): void {
  if (typeof pattern !== "string")
    throw invalidSchema(owner, `a "pattern" is ${describeValue(pattern)}, expected a string`);
  try {
    void new RegExp(pattern, "u");
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    throw invalidSchema(owner, `a "pattern" cannot be read${why}`);
  }
}

const typeNames = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Whether the author said something about further members, or composes the schema in a way that closing would break. */
function isOpen(schema: JsonObject): boolean {
  return openingKeywords.some((keyword) => schema[keyword] !== undefined);
}

const openingKeywords = [
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "propertyNames",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "dependentSchemas",
];

function invalidSchema(owner: string, what: string): UsageError {
  return new UsageError("invalid-schema", `Cannot publish the schema of ${owner}: ${what}`);
}

/** Lists the members a schema names, for the text that refuses another one. */
export function propertyNamesOf(schema: JsonObject): readonly string[] {
  const { properties } = schema;
  return isObject(properties) ? Object.keys(properties) : [];
}
