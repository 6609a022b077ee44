/** Which version two sides have in common, and the words for none. */

import { findRevision, toPrintable, type Revision } from "../protocol/index.ts";
import type { Failure } from "./client-error.ts";
import { spokenVersions, type Plan } from "./plan.ts";

export function chooseVersion(offered: readonly string[], plan: Plan): Revision | undefined {
  return findRevision(spokenVersions(plan).find((version) => offered.includes(version)));
}

export function explainNoCommonVersion(offered: readonly string[], plan: Plan): Failure {
  const named = toPrintable(offered.slice(0, 10).join(", "), 200);
  const theirs = named === "" ? "no version at all" : named;
  const ours = listVersions(spokenVersions(plan));
  return { code: "version", what: `the server speaks ${theirs}, expected ${ours}` };
}

export function listVersions(versions: readonly string[]): string {
  return versions.length === 1 ? versions.join() : `one of ${versions.join(", ")}`;
}
