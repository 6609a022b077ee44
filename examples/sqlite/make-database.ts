/** Makes the database that the tools of genkan.yaml are declared over: the shop, anew each time. */

import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildShop } from "../shop/database.ts";

const path = process.argv[2] ?? fileURLToPath(new URL("shop.db", import.meta.url));
rmSync(path, { force: true });
buildShop(path);
console.log(`Made ${path}`);
