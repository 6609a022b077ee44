// Builds dist/ after `npm ci`. Where Node is too old it says so and lets the installation be: a failure here would leave npm, and npx
// in a clone, with half an installation that nothing mends.

import { execSync } from "node:child_process";
import { isOldNode, sayOldNode } from "./old-node.js";

if (isOldNode) sayOldNode("build dist/");
else execSync("npm run build", { stdio: "inherit" });
