/** The limits of a SQLite file as they are described to operators: each with its default, which is also its most, and the harm it stops. */

import { defaultSqliteLimits, type SqliteLimits } from "../sqlite/index.ts";

const texts: Readonly<Record<keyof SqliteLimits, string>> = {
  databaseBytes:
    "The file and its write-ahead log together: stops a scan, and a private copy, from taking minutes.",
  queryMs: "How long one query may run: stops one question from holding a reader for ever.",
  queries:
    "Queries running at once, each in a process of its own: stops a flood from taking every core.",
  queue: "Queries that wait for a reader: stops a flood from filling the memory.",
  queueWaitMs:
    "How long a query may wait for a reader: stops answers that nobody waits for any more.",
  cellBytes: "One value: stops one cell from filling the memory.",
  resultBytes: "One result, as JSON: stops one answer from filling a model's memory.",
  inputCharacters:
    "One text among the arguments, in characters: stops one argument from keeping a pattern or a search busy.",
};

export const sqliteLimitsDescription = {
  type: "object",
  description: "The limits of the file; they go downwards only.",
  additionalProperties: false,
  properties: {
    databaseBytes: describe("databaseBytes"),
    queryMs: describe("queryMs"),
    queries: describe("queries"),
    queue: describe("queue"),
    queueWaitMs: describe("queueWaitMs"),
    cellBytes: describe("cellBytes"),
    resultBytes: describe("resultBytes"),
    inputCharacters: describe("inputCharacters"),
  },
} as const;

function describe(name: keyof SqliteLimits) {
  const most = defaultSqliteLimits[name];
  return {
    type: "integer",
    minimum: 1,
    maximum: most,
    default: most,
    description: texts[name],
  } as const;
}
