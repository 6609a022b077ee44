/** The runs of the official conformance suite: what each one asks for, and how the suite is told. */

import { runReferee } from "./referee.ts";

export interface Suite {
  readonly revision: string;
  /** Which side of Genkan is examined. */
  readonly side: "server" | "client";
  /** What the suite is told to run. */
  readonly selection: readonly string[];
}

/** Why a scenario runs: as required by the revision, or else without being counted. */
export type Standing = "required" | "extension" | "added-after-release" | "pending";

/** The revisions whose requirements the suite has laid down. */
const laidDown = ["2025-11-25", "2026-07-28"];

/** Older revisions: all that the suite has for them is taken as required. */
const older = ["2025-03-26", "2025-06-18"];

const sides = ["server", "client"] as const;

/** The small ones first: by the large ones, which start dozens of clients at once, those are compiled. */
export const suites: readonly Suite[] = [
  ...older.flatMap((revision) =>
    sides.map((side) => ({
      revision,
      side,
      selection: ["--suite", "all", "--spec-version", revision],
    })),
  ),
  ...laidDown.flatMap((revision) =>
    sides.map((side) => ({ revision, side, selection: ["--requirements", revision] })),
  ),
];

/** Reads which scenarios a suite runs, and in what standing; `undefined` where nothing is laid down. */
export async function readStandings({
  revision,
  side,
}: Suite): Promise<ReadonlyMap<string, Standing> | undefined> {
  if (!laidDown.includes(revision)) return undefined;
  const { output } = await runReferee(["list", "--requirements", revision]);
  const standings = new Map<string, Standing>();
  let section = "";
  for (const line of output.split("\n")) {
    const [, heading] =
      /^(Server|Client) scenarios\b/.exec(line) ?? /^ {2}([a-z-]+) \(/.exec(line) ?? [];
    section = heading ?? section;
    const [, scenario = "", of] = /^ +- (\S+)(?: \[(\w+)\])?$/.exec(line) ?? [];
    if (scenario === "" || (of ?? section.toLowerCase()) !== side) continue;
    standings.set(scenario, of === undefined ? "required" : readStanding(section));
  }
  return standings;
}

function readStanding(section: string): Standing {
  switch (section) {
    case "extension":
    case "added-after-release":
    case "pending":
      return section;
  }
  throw new Error(`Cannot read the requirements: "${section}" is no standing that is known here`);
}
