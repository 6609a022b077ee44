/** The door `sqlite`: tools that an operator declares over a SQLite file, each of them one SELECT; the file is never written. */

import { resolve } from "node:path";
import { UsageError } from "../../protocol/index.ts";
import {
  compareToExample,
  openDatabase,
  openDeclared,
  QueryError,
  type Database,
  type Declarations,
  type Declared,
  type DeclaredTool,
  type OpenOptions,
  type QueryDeclaration,
} from "../../sqlite/index.ts";
import { sqliteLimitsDescription } from "../describe-sqlite-limits.ts";
import { defineDoor, DoorFaults, toDoorError, type DoorExample, type DoorFact } from "../door.ts";
import type { ConfigFault } from "../find-faults.ts";
import { listDatabaseFacts } from "./database-facts.ts";
import { queryDescription } from "./describe-query.ts";

export const sqliteDoor = defineDoor({
  kind: "sqlite",
  canReload: true,
  shape: {
    type: "object",
    description:
      "Tools that you declare over a SQLite file, which nobody here can write; see docs/sqlite.md.",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The file, from the folder of the configuration.",
      },
      root: {
        type: "string",
        minLength: 1,
        description:
          "The folder that no symbolic link on the way to the file may lead out of. Default: the folder that path names.",
      },
      tables: {
        type: "array",
        items: { type: "string" },
        description:
          "The only tables and views that statements may read; by a view, also what stands behind it. Default: all of the file's own.",
      },
      mask: {
        type: "array",
        items: { type: "string" },
        description: "Columns that are NULL to every tool, as table.column.",
      },
      functions: {
        type: "array",
        items: { type: "string" },
        description:
          "The only functions that statements may call. Default: all of SQLite's that only compute.",
      },
      recursive: {
        type: "boolean",
        default: false,
        description: "Whether a statement may be a recursive WITH.",
      },
      databaseLimits: sqliteLimitsDescription,
      queries: {
        type: "array",
        minItems: 1,
        items: queryDescription,
        description: "The tools.",
      },
    },
    required: ["path", "queries"],
    additionalProperties: false,
  },
  listDatabases: ({ path }, { folder }) => [resolve(folder, path)],
  open: async ({ path, root, databaseLimits, ...declarations }, { folder, crew }) => {
    await using opening = new AsyncDisposableStack();
    const database = opening.use(
      await openFile({
        path: resolve(folder, path),
        crew,
        ...(root !== undefined && { root: resolve(folder, root) }),
        ...(databaseLimits !== undefined && { limits: databaseLimits }),
      }),
    );
    const declared = await declare(database, declarations);
    if ("faults" in declared) throw new DoorFaults(declared.faults);
    const opened = opening.move();
    return {
      tools: declared.tools.map(({ tool }) => tool),
      close: () => opened.disposeAsync(),
      idle: declared.idle,
      placeOfLimits: (tool) => [
        "queries",
        declarations.queries.findIndex(({ name }) => name === tool),
        "limits",
      ],
      facts: describeDoor(database, declared.tools),
      examples: declarations.queries.flatMap(listExamples),
      findWarnings: () => findWarnings(declared.tools),
    };
  },
});

async function openFile(options: OpenOptions): Promise<Database> {
  try {
    return await openDatabase(options);
  } catch (cause) {
    if (cause instanceof UsageError || cause instanceof QueryError)
      throw toDoorError("path", cause);
    throw cause;
  }
}

async function declare(database: Database, declarations: Declarations): Promise<Declared> {
  try {
    return await openDeclared(database, declarations);
  } catch (cause) {
    if (cause instanceof QueryError) throw toDoorError("path", cause);
    throw cause;
  }
}

function describeDoor(database: Database, tools: readonly DeclaredTool[]): readonly DoorFact[] {
  return [
    ...listDatabaseFacts(database),
    ...tools.flatMap(({ tool, reads, masked }) => [
      {
        tool: tool.name,
        name: "reads",
        text: reads
          .map(
            ({ table, columns }) =>
              `${table} (${columns.length === 0 ? "its rows" : columns.join(", ")})`,
          )
          .join(", "),
      },
      ...(masked.length === 0
        ? []
        : [{ tool: tool.name, name: "masked", text: masked.join(", ") }]),
    ]),
  ];
}

function listExamples(
  { name, examples = [] }: QueryDeclaration,
  index: number,
): readonly DoorExample[] {
  return examples.map(({ arguments: given = {}, expect = {} }, at) => ({
    path: ["queries", index, "examples", at],
    tool: name,
    arguments: given,
    findDifferences: (envelope) => compareToExample(expect, envelope),
  }));
}

async function findWarnings(tools: readonly DeclaredTool[]): Promise<readonly ConfigFault[]> {
  const found = await Promise.all(
    tools.map(async ({ findBigScans }, index) =>
      (await findBigScans()).map((what) => ({ path: ["queries", index, "statement"], what })),
    ),
  );
  return found.flat();
}
