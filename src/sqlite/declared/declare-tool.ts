/** Makes the tool of a declaration whose statement has been examined. */

import {
  createList,
  defineTool,
  describeRemoved,
  labelExternal,
  ToolFailure,
  type GateCall,
  type GateTool,
  type Whole,
} from "../../gate/index.ts";
import { isObject } from "../../protocol/index.ts";
import type { Database, Examination } from "../database.ts";
import { QueryError } from "../query-error.ts";
import { toToolFailure } from "../to-tool-failure.ts";
import type { Allowance, Answer, Parameter, Query } from "../query.ts";
import { defaultMaxRows, type QueryDeclaration } from "./declaration.ts";
import { fitRows, type Row } from "./fit-rows.ts";
import type { Running } from "./running.ts";
import { makeInputSchema, makeOutputSchema } from "./tool-schemas.ts";

/** What an envelope has beside the rows, names of columns and warnings included. */
const envelopeBytes = 1_500;

export interface Examined {
  readonly database: Database;
  readonly declaration: QueryDeclaration;
  readonly examination: Pick<Examination, "columns" | "answerColumns">;
  readonly allows: Allowance;
  readonly running: Running;
}

/** Throws a `UsageError` for what the gate does not take. */
export function declareTool(examined: Examined): GateTool {
  const { database, declaration, examination, allows, running } = examined;
  const { columns, answerColumns } = examination;
  const { name, title, description, statement, parameters = [], limits } = declaration;
  const { maxRows = defaultMaxRows } = declaration;
  const names = columns.map((column) => column.name);
  const overhead = envelopeBytes + Buffer.byteLength(JSON.stringify(names));
  return defineTool({
    name,
    ...(title !== undefined && { title }),
    description,
    risk: "read",
    input: makeInputSchema(parameters),
    output: makeOutputSchema(columns, maxRows),
    openWorld: false,
    ...(limits !== undefined && { limits }),
    run: async (args: unknown, call: GateCall) => {
      const given = isObject(args) ? args : {};
      const bound: Record<string, Parameter> = {}; // no parameter has a name of Object's own: see parameterName
      for (const each of parameters) bound[each.name] = toParameter(given[each.name]);
      const deadlineMs = Math.min(call.limits.deadlineMs, database.limits.queryMs);
      const query = { sql: statement, parameters: bound, maxRows, deadlineMs, allows };
      const answer = await running.during(() => askDatabase(database, query, call.signal));
      if (!isSame(answer.columns, answerColumns)) throw otherColumns(answer.columns, names);
      const maxBytes = Math.min(call.limits.resultBytes, database.limits.resultBytes) - overhead;
      const rows = fitRows({ ...answer, columns: names }, maxBytes);
      warnOf(answer, rows, call);
      return labelExternal({ columns: names, ...createList(rows, countAll(answer, maxRows)) });
    },
  });
}

/** One that is left out and has no default is NULL. */
function toParameter(value: unknown): Parameter {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}

async function askDatabase(database: Database, query: Query, signal: AbortSignal): Promise<Answer> {
  try {
    return await database.read((ask) => ask(query), { signal });
  } catch (thrown) {
    throw thrown instanceof QueryError ? toToolFailure(thrown) : thrown;
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

/** Nothing is given out that the published schema does not describe. */
function otherColumns(columns: readonly string[], names: readonly string[]): ToolFailure {
  return new ToolFailure(
    "tool_failed",
    `The tables have changed since this tool was declared: the statement gives ${columns.length} columns, and ${columns.length === names.length ? "they had other names" : `${names.length} were declared`}`,
    { effect: "none", hint: "Tell the person: the server has to be started again" },
  );
}

function countAll({ rows, hasMore }: Answer, maxRows: number): Whole {
  if (!hasMore) return { total: rows.length };
  const reason =
    rows.length < maxRows
      ? "There are more, and nobody counted them"
      : `There are more than ${maxRows} (maxRows), and nobody counted them`;
  return { total: null, reason, truncated: true };
}

function warnOf({ rows, removed }: Answer, fitting: readonly Row[], call: GateCall): void {
  if (fitting.length < rows.length)
    call.warn(
      `Only the first ${fitting.length} of ${rows.length} rows fit into a result (resultBytes): ask for less by narrower arguments`,
    );
  const cleaned = describeRemoved(removed);
  if (cleaned !== undefined) call.warn(cleaned);
}
