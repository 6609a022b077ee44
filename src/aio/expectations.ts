/** The tables that a file must have to be an aio-probe database, and what may be missing in an older one. */

import type { Schema, TableExpectation } from "../sqlite/index.ts";
import { runDetails, type Layout } from "./statements.ts";

const integer = ["INTEGER"] as const;
const text = ["TEXT"] as const;
/** Others declare DATETIME or TIMESTAMP, which leaves a text as it is. */
const time = ["TEXT", "NUMERIC"] as const;
/** Others declare BOOLEAN. */
const flag = ["INTEGER", "NUMERIC"] as const;

const evidence = [
  { name: "observation_id", affinity: integer },
  { name: "position", affinity: integer },
  { name: "url", affinity: text },
  { name: "domain", affinity: text },
  { name: "title", affinity: text },
] as const;

/** What is never read, `error_text` and `raw_path`, is not expected either. */
export const expectations = [
  {
    name: "runs",
    columns: [
      { name: "id", affinity: integer },
      { name: "started_at", affinity: time },
      { name: "completed_at", affinity: time },
      { name: "status", affinity: text },
      { name: "engine", affinity: text },
      { name: "locale", affinity: text },
      { name: "device", affinity: text },
      { name: "location", affinity: text, isOptional: true },
      { name: "note", affinity: text },
    ],
  },
  {
    name: "keywords",
    columns: [
      { name: "id", affinity: integer },
      { name: "keyword", affinity: text },
      { name: "bucket", affinity: text },
    ],
  },
  {
    name: "run_keywords",
    isOptional: true,
    columns: [
      { name: "run_id", affinity: integer },
      { name: "keyword_id", affinity: integer },
      { name: "keyword", affinity: text },
      { name: "bucket", affinity: text },
    ],
  },
  {
    name: "observations",
    columns: [
      { name: "id", affinity: integer },
      { name: "run_id", affinity: integer },
      { name: "keyword_id", affinity: integer },
      { name: "status", affinity: text },
      { name: "aio_present", affinity: flag },
      { name: "fetched_at", affinity: time },
    ],
  },
  { name: "citations", columns: evidence },
  { name: "organic_results", columns: evidence },
] as const satisfies readonly TableExpectation[];

/** Says which of what may be missing is there; the schema is one that fits. */
export function readLayout({ tables }: Schema): Layout {
  const has = (table: string, column: string): boolean =>
    tables.some(
      ({ name, columns }) =>
        name.toLowerCase() === table && columns.some((each) => each.name.toLowerCase() === column),
    );
  return {
    hasSnapshots: has("run_keywords", "keyword"),
    runDetails: runDetails.filter((name) => has("runs", name)),
  };
}
