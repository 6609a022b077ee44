/** The reference of `genkan.yaml` as a Markdown table, made from the description that reads it. */

import { configDescription } from "./describe-config.ts";
import type { Description } from "./description.ts";

/** Gives a table with one row for each key; `<name>` stands for what the operator chooses. */
export function describeReference(): string {
  return [
    "| key | value | default | what it is |",
    "| --- | --- | --- | --- |",
    ...new Set(listRows(configDescription, [])), // what every kind of door has is said once
  ].join("\n");
}

function listRows(shape: Description, path: readonly string[]): readonly string[] {
  if ("oneOf" in shape) return shape.oneOf.flatMap((option) => listRows(option, path));
  const inside = listInside(shape, path);
  const { description, default: fallback } = shape;
  if (description === undefined || path.length === 0) return inside;
  const key = path.join(".");
  const value = fallback === undefined ? "" : `\`${JSON.stringify(fallback)}\``;
  const row = `| ${[`\`${key}\``, nameType(shape), value, escapeCell(description)].join(" | ")} |`;
  // What may hold for one principal is described where it holds for all.
  return /^principals\..+\.(?:limits|conduct)$/.test(key) ? [row] : [row, ...inside];
}

function listInside(
  shape: Exclude<Description, { oneOf: unknown }>,
  path: readonly string[],
): readonly string[] {
  if (shape.type === "array" && shape.items.description === undefined)
    return listRows(shape.items, [...path.slice(0, -1), `${path.at(-1)}[]`]);
  if (shape.type !== "object") return [];
  if ("properties" in shape)
    return Object.entries(shape.properties).flatMap(([name, member]) =>
      listRows(member, [...path, name]),
    );
  const { additionalProperties: each } = shape;
  return each === true ? [] : listRows(each, [...path, "<name>"]);
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function nameType(shape: Exclude<Description, { oneOf: unknown }>): string {
  if (typeof shape.type !== "string") return "text, number, or true or false";
  switch (shape.type) {
    case "string":
      return shape.enum === undefined
        ? "text"
        : shape.enum.map((value) => `\`${value}\``).join(" or ");
    case "integer":
      return `number from ${shape.minimum}`;
    case "number":
      return "number";
    case "boolean":
      return "true or false";
    case "array":
      return "list";
    case "object":
      return "properties" in shape ? "keys" : "keys you choose";
  }
}
