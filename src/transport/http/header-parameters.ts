/**
 * The tool parameters that a client repeats in headers: those whose schema says `x-mcp-header`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
 */

import { describeValue, isObject, type JsonObject } from "../../protocol/index.ts";

export interface HeaderParameter {
  /** In lower case: `mcp-param-region`. */
  readonly header: string;
  /** The chain of property names that leads to the value. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/** The parameters, or what is wrong with the schema: then no client may use the tool over HTTP. */
export type HeaderParameters =
  | { readonly parameters: readonly HeaderParameter[] }
  | { readonly issue: string };

/** Lists the parameters of a tool's input schema. */
export function listHeaderParameters(schema: JsonObject): HeaderParameters {
  const parameters: HeaderParameter[] = [];
  const issues: string[] = [];
  const names = new Set<string>();

  const visit = (value: unknown, path: readonly string[], isReachable: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, path, false);
    if (!isObject(value)) return;
    if ("x-mcp-header" in value) annotate(value, path, isReachable && path.length > 0);
    for (const [keyword, member] of Object.entries(value)) {
      if (dataKeywords.has(keyword)) continue;
      if (!namedSchemas.has(keyword)) visit(member, path, false);
      else if (isObject(member))
        for (const [name, property] of Object.entries(member))
          visit(property, [...path, name], isReachable && keyword === "properties");
    }
  };

  const annotate = (value: JsonObject, path: readonly string[], isReachable: boolean): void => {
    const { type, "x-mcp-header": name } = value;
    const where = JSON.stringify(path.join("."));
    const primitive = primitiveOf(type);
    if (!isReachable)
      return void issues.push(
        `the x-mcp-header at ${where} is not reached by "properties" alone, expected a plain chain of them`,
      );
    if (typeof name !== "string" || !token.test(name))
      return void issues.push(
        `the x-mcp-header at ${where} is ${describeValue(name)}, expected the name of a header`,
      );
    if (primitive === undefined)
      return void issues.push(
        `the type of ${where} is ${describeValue(type)}, expected string, integer or boolean beside x-mcp-header`,
      );
    if (names.has(name.toLowerCase()))
      return void issues.push(`the x-mcp-header ${JSON.stringify(name)} stands there twice`);
    names.add(name.toLowerCase());
    parameters.push({ header: `mcp-param-${name.toLowerCase()}`, path, type: primitive });
  };

  visit(schema, [], true);
  const [issue] = issues;
  return issue === undefined ? { parameters } : { issue };
}

/** Gives the argument that a parameter names, or `undefined`; `null` counts as not given. */
export function readParameter(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

function primitiveOf(type: unknown): HeaderParameter["type"] | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const [first, ...others] = types.filter((one) => one !== "null");
  if (others.length > 0) return undefined;
  return first === "string" || first === "integer" || first === "boolean" ? first : undefined;
}

/** Words whose value is data, not a schema. */
const dataKeywords = new Set(["const", "default", "enum", "examples", "x-mcp-header"]);
/** Words whose value is a map from names to schemas. */
const namedSchemas = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);
/** A header's name, RFC 9110 section 5.1. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
