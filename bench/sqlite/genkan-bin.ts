/** The command line as published. */

import { fileURLToPath } from "node:url";

export const genkanBin = fileURLToPath(new URL("../../bin/genkan.js", import.meta.url));
