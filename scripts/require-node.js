// Stops `npm test` with one sentence where Node is too old. Old syntax on purpose: an old Node has to run it.

var needed = [24, 21];
var found = process.versions.node.split(".").map(Number);

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error(
    "Cannot run the tests: this is Node " +
      process.versions.node +
      ", expected Node " +
      needed.join(".") +
      ' or newer (the dev dependency "node" brings it, unless install scripts are off); type: npm rebuild node --ignore-scripts=false',
  );
  process.exitCode = 1;
}
