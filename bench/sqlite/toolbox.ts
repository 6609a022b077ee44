/** Google's MCP Toolbox: a program in Go that opens the file for writing. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPeer } from "./peers.ts";
import { readJsonTexts, type SqliteServer } from "./server.ts";

const specifier = "@toolbox-sdk/server@1.12.0";

export const toolbox: SqliteServer = {
  prepare(folder, database, asks) {
    const tools: Record<string, object> = {};
    for (const { tool, description, sql: statement, parameter } of asks) {
      const parameters = [{ name: parameter, type: "integer", description: parameter }];
      tools[tool] = { kind: "sqlite-sql", source: "items", description, statement, parameters };
    }
    const sources = { items: { kind: "sqlite", database } };
    const file = join(folder, "tools.yaml");
    writeFileSync(file, JSON.stringify({ sources, tools })); // JSON is YAML
    // The package's own command is a program of Node that starts this one.
    const platform = `${process.platform}-${process.arch}`;
    const program = `node_modules/@toolbox-sdk/server-${platform}/bin/toolbox`;
    const flags = [
      "--stdio",
      "--disable-version-check",
      "--disable-reload",
      "--log-level",
      "ERROR",
    ];
    return [join(fetchPeer(specifier), program), "--config", file, ...flags];
  },
  /** Each row is a text of its own. */
  readRows: readJsonTexts,
};
