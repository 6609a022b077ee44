/** Genkan as published: `genkan serve` with a door of declared tools. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toRecord } from "../messages.ts";
import { genkanBin } from "./genkan-bin.ts";
import type { SqliteServer } from "./server.ts";

/** Its budgets are for agents, not for benches. */
const limits = {
  callsPerMinute: 1_000_000_000,
  principalCalls: 1_000_000_000,
  principalMs: 1_000_000_000,
  principalBytes: 1_000_000_000_000,
};

export const genkan = serveWith({});

/** Records nothing, as its peers do. */
export const genkanStateless = serveWith({ state: "none" });

function serveWith(settings: { readonly state?: string }): SqliteServer {
  return {
    prepare(folder, database, asks) {
      const queries = asks.map(({ tool, description, sql, parameter, most, deadlineMs }) => ({
        name: tool,
        description,
        statement: sql.replace("?", `:${parameter}`),
        parameters: [
          { name: parameter, type: "integer", description: parameter, minimum: 0, maximum: most },
        ],
        ...(deadlineMs !== undefined && { limits: { deadlineMs } }),
      }));
      const doors = { items: { kind: "sqlite", path: database, queries } };
      const file = join(folder, "genkan.yaml");
      writeFileSync(file, JSON.stringify({ name: "bench", doors, limits, ...settings })); // JSON is YAML
      return [process.execPath, genkanBin, "serve", file];
    },
    readRows: ({ structuredContent }) => toRecord(toRecord(structuredContent)["data"])["items"],
  };
}
