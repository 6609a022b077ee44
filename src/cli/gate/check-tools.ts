/** Holds the names of tools against a configuration: a grant for a tool that there is not allows nothing, and nobody notices. */

import { expectOneOf, toPrintable, UsageError } from "../../protocol/index.ts";

/**
 * Gives the sentence that says why the names could not be checked, or `undefined` when they were.
 *
 * Opens the doors, as `genkan check` does: only they know their tools. Throws a `UsageError` for a name that none has.
 */
export async function checkTools(
  config: string | undefined,
  names: readonly string[],
): Promise<string | undefined> {
  if (config === undefined)
    return "  the names of the tools were not checked: no configuration is here; --config names one";
  const { openDoors, readConfiguration } = await import("../../config/index.ts");
  const configuration = readConfiguration(config);
  let known: readonly string[];
  try {
    await using doors = await openDoors(configuration);
    known = doors.tools.map(({ tool }) => tool.name);
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return `  the names of the tools were not checked: ${toPrintable(thrown.message, 500)}`; // a door that is shut now keeps nobody from allowing
  }
  const odd = names.find((name) => !known.includes(name));
  if (odd === undefined) return undefined;
  const what = `Cannot give a grant for the tool "${odd}": ${config} has none of this name, ${expectOneOf(odd, known)}`;
  throw new UsageError("bad-tools", what, { hint: "genkan check" });
}
