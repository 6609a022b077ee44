/** Decides on each thing that a statement does: reading what it may read, and nothing else. */

import { constants } from "node:sqlite";
import type { Allowance } from "../query.ts";
import { plainFunctions } from "./plain-functions.ts";
import { computingTables, tellingTables } from "./served-tables.ts";

/** What SQLite asks: an action, two details of it, the database's name, and the view or WITH on whose behalf. */
export type Authorizer = (
  action: number,
  first: string | null,
  second: string | null,
  database: string | null,
) => number;

export interface Rights {
  /** In lower case, as everything here. */
  readonly tables: ReadonlySet<string>;
  /** What the file has beside them. */
  readonly others: ReadonlySet<string>;
  readonly recursion: boolean;
  /** `table.column` */
  readonly masked: ReadonlySet<string>;
}

const { SQLITE_OK, SQLITE_DENY, SQLITE_IGNORE } = constants;

export function createAuthorizer({ tables, others, recursion, masked }: Rights): Authorizer {
  /** Where only rows are counted, the name of a WITH or of a subquery is asked for too. */
  const isOwnName = (name: string): boolean => !others.has(name) && !tellingTables.test(name);
  return (action, first, second, database) => {
    switch (action) {
      case constants.SQLITE_SELECT:
        return SQLITE_OK;
      case constants.SQLITE_READ: {
        const table = (first ?? "").toLowerCase();
        if (!tables.has(table)) return second === "" && isOwnName(table) ? SQLITE_OK : SQLITE_DENY;
        return masked.has(`${table}.${(second ?? "").toLowerCase()}`) ? SQLITE_IGNORE : SQLITE_OK;
      }
      case constants.SQLITE_FUNCTION:
        return plainFunctions.has((second ?? "").toLowerCase()) ? SQLITE_OK : SQLITE_DENY;
      case constants.SQLITE_RECURSIVE:
        return recursion ? SQLITE_OK : SQLITE_DENY;
      case constants.SQLITE_PRAGMA: // FTS5 asks it of itself before each search
        return first === "data_version" && second === null && database === "main"
          ? SQLITE_OK
          : SQLITE_DENY;
      default:
        return SQLITE_DENY;
    }
  };
}

/** @param present the tables and views of the file, in lower case */
export function toRights(allows: Allowance, present: readonly string[]): Rights {
  const { recursion = false, masked = [] } = allows;
  const tables = allows.tables?.map((name) => name.toLowerCase()) ?? present;
  return {
    tables: new Set([...tables, ...computingTables]),
    others: new Set(present),
    recursion,
    masked: new Set(masked.map(({ table, column }) => `${table}.${column}`.toLowerCase())),
  };
}
