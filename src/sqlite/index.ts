/** Read-only doors onto SQLite files: what may be asked, and by which process. */

export type { Ask, Column, Database, Examination, ReadOptions, Schema, Table } from "./database.ts";
export { defaultSqliteLimits, resolveSqliteLimits } from "./limits.ts";
export type { SqliteLimits } from "./limits.ts";
export { openDatabase } from "./open-database.ts";
export type { OpenOptions } from "./open-database.ts";
export { QueryError, queryFailures, toToolFailure } from "./query-error.ts";
export type { QueryErrorOptions, QueryFailure } from "./query-error.ts";
export { valueSchema } from "./query.ts";
export type { Allowance, Answer, Blob, BrokenText, Parameter, Query, Value } from "./query.ts";
export { plainFunctions } from "./reader/plain-functions.ts";
