/** Lays out a list of tools in columns: what each is called, what it does, what it takes. */

import { isObject, isStringArray, toPrintable, type Tool } from "../../protocol/index.ts";
import type { Style } from "../screen.ts";
import { describeSchema } from "./describe-schema.ts";

export function layOutTools(
  tools: readonly Tool[],
  paint: (style: Style, text: string) => string,
): string {
  return tools.map((tool) => layOutTool(tool, paint).join("\n")).join("\n\n");
}

function layOutTool(tool: Tool, paint: (style: Style, text: string) => string): readonly string[] {
  const { name, title, description } = tool;
  const heading = paint("bold", toPrintable(name, 200));
  const label = typeof title === "string" && title !== name ? `  ${toPrintable(title, 200)}` : "";
  const about = firstLineOf(description);
  const rows = argumentsOf(tool);
  const widths = [0, 1].map((column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  return [
    heading + label,
    ...(about === "" ? [] : [`  ${about}`]),
    ...rows.map(([argument, type, need, meaning]) =>
      `    ${argument.padEnd(widths[0] ?? 0)}  ${paint("cyan", type.padEnd(widths[1] ?? 0))}  ${need.padEnd("required".length)}  ${meaning}`.trimEnd(),
    ),
  ];
}

type Row = readonly [
  argument: string,
  type: string,
  need: "required" | "optional",
  meaning: string,
];

function argumentsOf({ inputSchema }: Tool): readonly Row[] {
  const { properties, required } = inputSchema;
  if (!isObject(properties)) return [];
  const needed = new Set(isStringArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => [
    toPrintable(name, 100),
    describeSchema(schema),
    needed.has(name) ? "required" : "optional",
    firstLineOf(isObject(schema) ? schema["description"] : undefined),
  ]);
}

function firstLineOf(text: unknown): string {
  if (typeof text !== "string") return "";
  const [line = ""] = text.trim().split(/\r?\n/, 1);
  return toPrintable(line, 300);
}
