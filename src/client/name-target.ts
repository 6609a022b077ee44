/** Names what was to be reached, fit to be shown. */

import { toPrintable } from "../protocol/index.ts";
import { showUrl } from "./open-url.ts";
import type { ConnectTarget } from "./options.ts";

/** Names a target as an error's sentence does: `"node server.js"`. */
export function nameTarget(target: ConnectTarget): string {
  if ("transport" in target) return "the server";
  if ("url" in target) return `"${toPrintable(showUrl(target.url), 200)}"`;
  const words = [target.command, ...(target.args ?? [])].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`,
  );
  return `"${toPrintable(words.join(" "), 200)}"`;
}
