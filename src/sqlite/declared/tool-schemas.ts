/** Makes the schemas of a declared tool: of its arguments from its parameters, of its result from the columns of its statement. */

import { dataTrustSchema, listSchema } from "../../gate/index.ts";
import { createRecord, type JsonObject } from "../../protocol/index.ts";
import type { Examination } from "../database.ts";
import { valueSchema } from "../query.ts";
import type { ParameterDeclaration } from "./declaration.ts";

export function makeInputSchema(parameters: readonly ParameterDeclaration[]): JsonObject {
  return {
    type: "object",
    properties: createRecord(parameters.map(({ name, required: _, ...schema }) => [name, schema])),
    required: parameters.filter(isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** A parameter that has a default, or is said not to be required, may be left out. */
export function isRequired({ required, default: fallback }: ParameterDeclaration): boolean {
  return required ?? fallback === undefined;
}

export function makeOutputSchema(columns: Examination["columns"], maxRows: number): JsonObject {
  const names = columns.map(({ name }) => name);
  const row = {
    type: "object",
    properties: createRecord(columns.map((column) => [column.name, describeColumn(column)])),
    required: names,
    additionalProperties: false,
  };
  const { properties, required, ...list } = listSchema(row, maxRows);
  return {
    ...list,
    properties: {
      columns: { type: "array", items: { type: "string" }, maxItems: names.length },
      ...properties,
      data_trust: dataTrustSchema,
    },
    required: ["columns", ...required, "data_trust"],
    $defs: { value: valueSchema },
  };
}

function describeColumn({ table, column, type = "" }: Examination["columns"][number]): JsonObject {
  const value = { $ref: "#/$defs/value" };
  if (table === undefined || column === undefined) return value;
  return { ...value, description: `${table}.${column}${type === "" ? "" : `, ${type}`}` };
}
