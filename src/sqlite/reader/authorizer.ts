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

/** In lower case. */
export interface Present {
  readonly all: ReadonlySet<string>;
  /** Those that a module of SQLite serves. */
  readonly served: ReadonlySet<string>;
}

/** What the tables of FTS3 to FTS5, R-Tree and Geopoly are called, behind the name of the one they are for. */
const shadows = "config content data docsize idx segdir segments stat node parent rowid".split(" ");

const { SQLITE_OK, SQLITE_DENY, SQLITE_IGNORE } = constants;

/**
 * @param rightsNow what the statement may do that is prepared or runs: SQLite prepares one anew whenever it sees fit, so the
 *   rights are asked for each time. (To set another authorizer would itself be such an occasion, for all statements.)
 */
export function createAuthorizer(rightsNow: () => Rights): Authorizer {
  return (action, first, second, database) => {
    const { tables, others, recursion, masked } = rightsNow();
    switch (action) {
      case constants.SQLITE_SELECT:
        return SQLITE_OK;
      case constants.SQLITE_READ: {
        const table = (first ?? "").toLowerCase();
        if (!tables.has(table))
          return second === "" && isOwnName(table, others) ? SQLITE_OK : SQLITE_DENY;
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

/** Where only rows are counted, the name of a WITH or of a subquery is asked for too. */
function isOwnName(name: string, others: ReadonlySet<string>): boolean {
  return !others.has(name) && !tellingTables.test(name);
}

/** @param present the tables and views of the file */
export function toRights(allows: Allowance, present: Present): Rights {
  const { recursion = false, masked = [] } = allows;
  const tables = allows.tables?.map((name) => name.toLowerCase()) ?? [...present.all];
  // A module reads its own tables on behalf of whoever reads the one that it serves.
  const served = tables
    .filter((name) => present.served.has(name))
    .flatMap((name) => shadows.map((suffix) => `${name}_${suffix}`));
  return {
    tables: new Set([...tables, ...served, ...computingTables]),
    others: present.all,
    recursion,
    masked: new Set(masked.map(({ table, column }) => `${table}.${column}`.toLowerCase())),
  };
}
