/** The door `aio`: the three tools over a database of aio-probe; the file is never written. */

import { resolve } from "node:path";
import type { Aio, AioOptions } from "../../aio/index.ts";
import { UsageError } from "../../protocol/index.ts";
import { QueryError } from "../../sqlite/index.ts";
import { sqliteLimitsDescription } from "../describe-sqlite-limits.ts";
import { defineDoor, toDoorError } from "../door.ts";
import { listDatabaseFacts } from "./database-facts.ts";

export const aioDoor = defineDoor({
  kind: "aio",
  shape: {
    type: "object",
    description:
      "list_runs, compare_buckets and get_keyword_evidence over a database of aio-probe, which nobody here can write; see docs/aio-probe.md.",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The database, from the folder of the configuration.",
      },
      root: {
        type: "string",
        minLength: 1,
        description:
          "The folder that no symbolic link on the way to the file may lead out of. Default: the folder that path names.",
      },
      buckets: {
        type: "array",
        minItems: 4,
        items: { type: "string" },
        description:
          "The four buckets, in the order in which they are told. Default: informational, commercial, transactional, navigational.",
      },
      databaseLimits: sqliteLimitsDescription,
    },
    required: ["path"],
    additionalProperties: false,
  },
  listDatabases: ({ path }, { folder }) => [resolve(folder, path)],
  open: async ({ path, root, buckets, databaseLimits }, { folder, crew }) => {
    const remarks: string[] = [];
    const aio = await open({
      path: resolve(folder, path),
      crew,
      report: (text) => remarks.push(text),
      ...(root !== undefined && { root: resolve(folder, root) }),
      ...(buckets !== undefined && { buckets }),
      ...(databaseLimits !== undefined && { limits: databaseLimits }),
    });
    return {
      tools: aio.tools,
      close: () => aio.close(),
      facts: listDatabaseFacts(aio.database),
      findWarnings: () => Promise.resolve(remarks.map((what) => ({ path: ["path"], what }))),
    };
  },
});

/** The tools are read when somebody has such a door. */
async function open(options: AioOptions): Promise<Aio> {
  const { openAio } = await import("../../aio/index.ts");
  try {
    return await openAio(options);
  } catch (cause) {
    if (!(cause instanceof UsageError) && !(cause instanceof QueryError)) throw cause;
    const isOfBuckets = cause instanceof UsageError && cause.code === "invalid-buckets";
    throw toDoorError(isOfBuckets ? "buckets" : "path", cause);
  }
}
