/** Names the type of a JSON Schema in a word or two, as a person at a shell needs it. */

import { isObject, jsonTypeOf, toPrintable } from "../../protocol/index.ts";

/** How deep arrays of arrays are named, and how many alternatives. */
const maxDepth = 3;
const maxAlternatives = 6;

export function describeSchema(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > maxDepth) return "any";
  const { type, enum: values, const: only, items, $ref } = schema;
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if ("const" in schema) return show(only);
  if (Array.isArray(values)) return join(values, show);
  if (Array.isArray(alternatives))
    return join(alternatives, (each) => describeSchema(each, depth + 1));
  if (Array.isArray(type)) {
    return join(type, (each) => describeSchema({ ...schema, type: each }, depth + 1));
  }
  if (type === "array")
    return items === undefined ? "array" : `${describeItem(items, depth + 1)}[]`;
  if (typeof type === "string") return toPrintable(type, 40);
  if (typeof $ref === "string") return toPrintable($ref.slice($ref.lastIndexOf("/") + 1), 40);
  return "properties" in schema ? "object" : "any";
}

function describeItem(items: unknown, depth: number): string {
  const item = describeSchema(items, depth);
  return item.includes("|") ? `(${item})` : item;
}

/** Names the first few alternatives, and how many more a stranger's schema has. */
function join(all: readonly unknown[], name: (each: unknown) => string): string {
  const looked = all.slice(0, 10 * maxAlternatives);
  const words = [...new Set(looked.map(name))];
  const kept = words.slice(0, maxAlternatives);
  const rest = words.length - kept.length + all.length - looked.length;
  return rest === 0 ? kept.join("|") : `${kept.join("|")}|…${rest} more`;
}

function show(value: unknown): string {
  return typeof value === "object" && value !== null
    ? jsonTypeOf(value)
    : toPrintable(JSON.stringify(value), 40);
}
