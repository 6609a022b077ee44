/** Finds the shop: a TypeScript file in a checkout, JavaScript where Genkan is built, since Node strips no types in node_modules. */

import process from "node:process";
import { fileURLToPath } from "node:url";
import type { CommandTarget } from "../../client/index.ts";

/** @param folder where the shop builds its database */
export function findShop(folder: string): CommandTarget {
  const place = import.meta.url.endsWith(".ts")
    ? "../../../examples/shop/server.ts"
    : "../../examples/shop/server.js";
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(place, import.meta.url))],
    env: { TMPDIR: folder, TEMP: folder, TMP: folder },
  };
}
