/** Gathers what the doors of a configuration warn of, each with its place in the file. */

import type { Configuration } from "./configuration.ts";
import type { OpenedDoors } from "./open-doors.ts";

/** Gives a sentence for each. */
export async function findWarnings(
  { source }: Configuration,
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
  return found.flat();
}
