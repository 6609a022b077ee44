/** Read-only doors onto SQLite files: what may be asked, and by which process. */

import type { Database } from "./database.ts";
import type { Declarations } from "./declared/declaration.ts";
import type { Declared } from "./declared/open-declared.ts";

export type { Crew } from "./crew.ts";
export { expectTables } from "./expect-tables.ts";
export type { Affinity, ColumnExpectation, TableExpectation } from "./expect-tables.ts";
export type { Ask, Column, Database, Examination, ReadOptions, Schema, Table } from "./database.ts";
export { defaultSqliteLimits, resolveSqliteLimits } from "./limits.ts";
export type { SqliteLimits } from "./limits.ts";
export { compareToExample } from "./declared/compare-to-example.ts";
export { defaultMaxRows, mostRows } from "./declared/declaration.ts";
export type { Declared, DeclaredTool } from "./declared/open-declared.ts";
export type { Declarations, QueryDeclaration } from "./declared/declaration.ts";
export { openDatabase } from "./open-database.ts";
export type { OpenOptions } from "./open-database.ts";
export { QueryError, queryFailures } from "./query-error.ts";
export { toToolFailure } from "./to-tool-failure.ts";
export type { QueryErrorOptions, QueryFailure } from "./query-error.ts";
export { valueSchema } from "./query.ts";
export type { Allowance, Answer, Blob, BrokenText, Parameter, Query, Value } from "./query.ts";
export { plainFunctions } from "./reader/plain-functions.ts";
export type { Difference } from "./receipt/compare-looks.ts";
export type { OpenReceipt, ReceiptOptions, RunReport } from "./receipt/open-receipt.ts";
export type { ReceiptFailure } from "./receipt/receipt-error.ts";
export type { Ending, Receipt, Verdict } from "./receipt/receipt.ts";
export type { Trace, Tracing } from "./receipt/trace.ts";

/** As `openDeclared` of `declared/`, which is read when somebody declares a tool. */
export async function openDeclared(
  database: Database,
  declarations: Declarations,
): Promise<Declared> {
  const declared = await import("./declared/open-declared.ts");
  return declared.openDeclared(database, declarations);
}

/** Loads what takes receipts and checks them; a server that serves without one never reads it. */
export function loadReceipts() {
  return import("./receipt/receipts.ts");
}
