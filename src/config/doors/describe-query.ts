/** What a declared tool of a door `sqlite` is made of, as operators write it. */

import { failureCodes } from "../../gate/index.ts";
import { defaultMaxRows, mostRows } from "../../sqlite/index.ts";
import { toolLimitsDescription } from "../describe-limits.ts";

const parameter = {
  type: "object",
  additionalProperties: false,
  required: ["name", "type", "description"],
  properties: {
    name: {
      type: "string",
      description: "Its name in the statement, without the colon.",
    },
    type: {
      type: "string",
      enum: ["string", "integer", "number", "boolean"],
      description: "What it takes; true and false are 1 and 0 to the statement.",
    },
    description: { type: "string", minLength: 1, description: "For the model: what it is." },
    required: {
      type: "boolean",
      description:
        "Whether it must be given. Default: yes, unless it has a default; one that is left out is NULL to the statement.",
    },
    default: {
      type: ["string", "number", "boolean"],
      description: "What stands for it when it is left out.",
    },
    maxLength: {
      type: "integer",
      minimum: 1,
      description: "How long a text may be, in characters; needed without enum.",
    },
    minimum: { type: "number", description: "The least number; needed without enum." },
    maximum: { type: "number", description: "The greatest number; needed without enum." },
    enum: {
      type: "array",
      minItems: 1,
      items: { type: ["string", "number", "boolean"] },
      description: "The only values it may have.",
    },
    pattern: {
      type: "string",
      description:
        "A regular expression of JavaScript that a text must match somewhere; ^ and $ bind it to its ends.",
    },
  },
} as const;

const example = {
  type: "object",
  additionalProperties: false,
  properties: {
    arguments: {
      type: "object",
      additionalProperties: true,
      description: "What the tool is called with.",
    },
    expect: {
      type: "object",
      additionalProperties: false,
      description: "What it must give; without it, any result will do.",
      properties: {
        rows: {
          type: "array",
          items: { type: "object", additionalProperties: true },
          description: "All rows in their order; of each, the columns that are named.",
        },
        count: { type: "integer", minimum: 0, description: "How many rows there are." },
        columns: {
          type: "array",
          items: { type: "string" },
          description: "The names of all columns, in their order.",
        },
        code: {
          type: "string",
          enum: ["ok", "invalid_arguments", ...failureCodes],
          default: "ok",
          description: "The code of the result.",
        },
      },
    },
  },
} as const;

export const queryDescription = {
  type: "object",
  additionalProperties: false,
  required: ["name", "description", "statement"],
  properties: {
    name: { type: "string", minLength: 1, description: "The name of the tool." },
    title: { type: "string", minLength: 1, description: "The name for people." },
    description: {
      type: "string",
      minLength: 1,
      description: "For the model: what the tool does, and when to use it.",
    },
    statement: {
      type: "string",
      minLength: 1,
      description: "One SELECT, WITH or VALUES, with parameters such as :name.",
    },
    parameters: {
      type: "array",
      items: parameter,
      description: "Its parameters: each is in the statement, and each of the statement's is here.",
    },
    maxRows: {
      type: "integer",
      minimum: 1,
      maximum: mostRows,
      default: defaultMaxRows,
      description: "How many rows a result may have; the rest is not read.",
    },
    mask: {
      type: "array",
      items: { type: "string" },
      description: "Columns that are NULL to this tool, beside the door's.",
    },
    limits: toolLimitsDescription,
    examples: {
      type: "array",
      items: example,
      description: "Calls that `genkan check` tries.",
    },
  },
} as const;
