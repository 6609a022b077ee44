// Says in one sentence that Node is too old. Old syntax on purpose: an old Node has to run it.

var needed = [24, 21];
var found = process.versions.node.split(".").map(Number);

export var isOldNode = found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1]);

/** @param {string} act what cannot be done, such as "run the tests" */
export function sayOldNode(act) {
  console.error(
    "Cannot " +
      act +
      ": this is Node " +
      process.versions.node +
      ", expected Node " +
      needed.join(".") +
      ' or newer (the dev dependency "node" brings it, unless install scripts are off); type: npm rebuild node --ignore-scripts=false && npm run build',
  );
}
