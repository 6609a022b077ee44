/** Says where the programs of this room are. It imports none of ours: what asks for its own place stays a file of its own. */

import { fileURLToPath } from "node:url";

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

export function locateProgram(name: "reader" | "scout" | "receipt"): string {
  return fileURLToPath(new URL(`./${name}/main.${extension}`, import.meta.url));
}
