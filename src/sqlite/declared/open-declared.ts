/** Opens the tools that an operator declares over a database, or says everything that is wrong with them and where. */

import type { GateTool } from "../../gate/index.ts";
import { UsageError } from "../../protocol/index.ts";
import type { Database, Examination } from "../database.ts";
import type { Allowance } from "../query.ts";
import { declareTool } from "./declare-tool.ts";
import type { DeclarationFault, Declarations, QueryDeclaration } from "./declaration.ts";
import { findBigScans } from "./find-big-scans.ts";
import { findQueryFaults } from "./find-query-faults.ts";
import { findReadingFaults, isOwnName } from "./find-reading-faults.ts";
import { findScans, type PlannedScan } from "./find-scans.ts";
import { Running } from "./running.ts";
import { readStatement } from "./read-statement.ts";
import { resolveMask, resolveRights, type Rights } from "./resolve-rights.ts";

export interface DeclaredTool {
  readonly tool: GateTool;
  /** What it reads; no column where only rows are counted. */
  readonly reads: readonly { readonly table: string; readonly columns: readonly string[] }[];
  readonly masked: readonly string[];
  /** Says where it may read all of a big table. */
  readonly findBigScans: () => Promise<readonly string[]>;
}

export type Declared =
  | { readonly faults: readonly DeclarationFault[] }
  | {
      readonly tools: readonly DeclaredTool[];
      /** Resolves when none of their calls runs. */
      readonly idle: () => Promise<void>;
    };

/** Throws a `QueryError` where the database cannot be asked. */
export async function openDeclared(
  database: Database,
  declarations: Declarations,
): Promise<Declared> {
  const { queries } = declarations;
  const schema = await database.describe();
  const rights = resolveRights(declarations, schema);
  const faults: DeclarationFault[] = [...rights.faults];
  const tools: DeclaredTool[] = [];
  const running = new Running();
  for (const [index, query] of queries.entries()) {
    const twin = queries.findIndex(({ name }) => name === query.name);
    if (twin < index)
      faults.push({
        path: ["queries", index, "name"],
        what: `it is "${query.name}" as that of queries.${twin}, expected a name of its own`,
      });
    const opened = await openQuery(database, query, rights.value, running);
    if ("tool" in opened) tools.push(opened);
    else
      faults.push(
        ...opened.faults.map(({ path, what }) => ({ path: ["queries", index, ...path], what })),
      );
  }
  return faults.length > 0 ? { faults } : { tools, idle: () => running.idle() };
}

async function openQuery(
  database: Database,
  query: QueryDeclaration,
  doorRights: Rights,
  running: Running,
): Promise<DeclaredTool | { readonly faults: readonly DeclarationFault[] }> {
  const { parameters = [], statement: sql, mask = [] } = query;
  const statement = readStatement(
    sql,
    parameters.map(({ name }) => name),
  );
  const own = resolveMask(mask, doorRights.schema);
  const rights = { ...doorRights, masked: [...doorRights.masked, ...own.value] };
  const faults = [
    ...own.faults.map(({ path, what }) => ({ path: ["mask", ...path], what })),
    ...statement.faults.map((what) => ({ path: ["statement"], what })),
    ...findQueryFaults(query, statement.parameters, database.limits),
  ];
  if (statement.faults.length > 0) return { faults };
  const examination = await database.examine(sql, { masked: rights.masked });
  for (const what of findReadingFaults(examination, statement.tokens, rights))
    faults.push({ path: ["statement"], what });
  if (faults.length > 0) return { faults };
  const made = tryToDeclare(() =>
    declareTool({
      database,
      declaration: query,
      examination,
      allows: allow(examination, rights),
      running,
    }),
  );
  if ("what" in made) return { faults: [{ path: [], what: made.what }] };
  return toDeclaredTool(
    made.tool,
    database,
    examination,
    rights,
    findScans(examination.plan, statement.tokens, rights.schema),
  );
}

/** What the statement was seen to read, and no more. A table that a module of SQLite serves reads others in its turn. */
function allow({ reads, isRecursive }: Examination, { schema, tables, masked }: Rights): Allowance {
  const seen = new Set(reads.map(({ table }) => table));
  const served = schema.tables.filter(({ name, kind }) => kind === "virtual" && seen.has(name));
  const inner =
    served.length === 0
      ? []
      : [
          ...tables,
          ...schema.tables
            .filter(({ name }) => served.some((table) => name.startsWith(`${table.name}_`)))
            .map(({ name }) => name),
        ];
  return { tables: [...new Set([...seen, ...inner])], recursion: isRecursive, masked };
}

function tryToDeclare(
  declare: () => GateTool,
): { readonly tool: GateTool } | { readonly what: string } {
  try {
    return { tool: declare() };
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return { what: thrown.message };
  }
}

function toDeclaredTool(
  tool: GateTool,
  database: Database,
  examination: Examination,
  { masked, schema }: Rights,
  scans: readonly PlannedScan[],
): DeclaredTool {
  const reads = examination.reads.filter((read) => !isOwnName(read, schema));
  const tables = [...new Set(reads.map(({ table }) => table))];
  const isRead = new Set(reads.map(({ table, column }) => `${table}.${column}`));
  return {
    tool,
    reads: tables.map((name) => ({
      table: name,
      columns: [
        ...new Set(
          reads
            .filter(({ table, column }) => table === name && column !== "")
            .map(({ column }) => column),
        ),
      ],
    })),
    masked: masked
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => isRead.has(name)),
    findBigScans: () => findBigScans(database, scans),
  };
}
