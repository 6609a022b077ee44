#!/usr/bin/env node
// Starts the command line on a Node that can run it. Old syntax on purpose: an old Node has to get as far as the sentence.

var needed = [24, 21];
var found = process.versions.node.split(".").map(Number);

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error(
    "Cannot start genkan: this is Node " +
      process.versions.node +
      ", expected Node " +
      needed.join(".") +
      " or newer; type: npx -p node@24 -p genkan genkan",
  );
  process.exitCode = 1;
} else {
  import("../dist/cli/main.js").catch(function (error) {
    var isUnbuilt = error.code === "ERR_MODULE_NOT_FOUND" && /dist.cli.main\.js$/.test(error.url);
    if (!isUnbuilt) throw error;
    console.error("Cannot start genkan: dist/ is missing, expected a built checkout; type: npm ci");
    process.exitCode = 1;
  });
}
