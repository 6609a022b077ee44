/** Finds the shop: a TypeScript file in a checkout, JavaScript where Genkan is built, since Node strips no types in node_modules. */

import process from "node:process";
import { fileURLToPath } from "node:url";
import type { CommandTarget } from "../../client/index.ts";
import { findInPackage } from "../package.ts";

/** @param folder where the shop builds its database */
export function findShop(folder: string): CommandTarget {
  const isSource = import.meta.url.endsWith(".ts");
  const server = findInPackage(
    isSource ? "examples/shop/server.ts" : "dist/examples/shop/server.js",
  );
  return {
    command: process.execPath,
    args: [fileURLToPath(server)],
    env: { TMPDIR: folder, TEMP: folder, TMP: folder },
  };
}
