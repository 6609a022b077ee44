/** Gathers what a configuration and its doors warn of, each with its place in the file. */

import type { Configuration } from "./configuration.ts";
import { findStateFault } from "./find-state-fault.ts";
import type { OpenedDoors } from "./open-doors.ts";

/** Gives a sentence for each. */
export async function findWarnings(
  { source, stateDir }: Configuration,
  { doors }: OpenedDoors,
): Promise<readonly string[]> {
  const found = await Promise.all(
    doors.map(async ({ name, open }) =>
      ((await open.findWarnings?.()) ?? []).map(({ path, what }) => {
        const place = ["doors", name, ...path];
        return `${source.locate(place)}: Look at "${place.join(".")}": ${what}`;
      }),
    ),
  );
  const fault = stateDir === undefined ? undefined : findStateFault(stateDir);
  const state = `"${stateDir}" is where genkan serve keeps its state, and ${fault}, expected state: /a/folder/you/may/write`;
  return [
    ...(fault === undefined ? [] : [`${source.locate(["state"])}: Look at "state": ${state}`]),
    ...found.flat(),
  ];
}
