/** Lends this very Genkan to the modules of operators: what they throw is then known here, and they need no copy of their own. */

import { registerHooks } from "node:module";

/** The names that a module imports, and the files that have them. */
const entries: Readonly<Record<string, string>> = {
  genkan: "../index",
  "genkan/gate": "../gate/index",
};
/** The folder of all of Genkan's code. */
export const genkanFolder = new URL("../", import.meta.url).href;

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
let isLent = false;

/** From now on `genkan` and `genkan/gate` are this one, wherever they are imported. */
export function lendGenkan(): void {
  if (isLent) return;
  isLent = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const entry = Object.hasOwn(entries, specifier) ? entries[specifier] : undefined;
      if (entry === undefined) return next(specifier, context);
      return { url: new URL(`${entry}.${extension}`, import.meta.url).href, shortCircuit: true };
    },
  });
}
