// Stops `npm test` and `npm run build` with one sentence where Node is too old.

import { isOldNode, sayOldNode } from "./old-node.js";

if (isOldNode) {
  sayOldNode("go on");
  process.exitCode = 1;
}
