/** Shows what has become of a receipt, and of what it is about, since it was written. */

import { toPrintable } from "../../protocol/index.ts";
import type { Difference, Receipt } from "../../sqlite/index.ts";
import type { Paint } from "../screen.ts";
import { showDifferences } from "./show-differences.ts";
import { showEnding, showPaths } from "./show-receipt.ts";

export interface Verification {
  readonly receipt: Receipt;
  readonly moved: string | undefined;
  /** What has changed since. */
  readonly differences: readonly Difference[];
}

/** Says what an intact receipt is about, and what has become of the databases since. */
export function showVerification(
  { receipt, moved, differences }: Verification,
  paint: Paint,
): string {
  const { verdict, databases, command, ending, measured, host, digest } = receipt;
  const names = showPaths(moved === undefined ? databases : [moved]);
  const said = {
    unchanged: paint("green", "The receipt is intact, and says: unchanged"),
    changed: paint("red", "The receipt is intact, and says: changed"),
    unfinished: paint("yellow", "The receipt is intact, but the end of its run was not seen"),
  }[verdict];
  const same = moved === undefined ? "Still the same" : "The same bytes";
  const since = moved === undefined ? "Changed since" : "Other bytes";
  return [
    said,
    `  ${toPrintable(command.words.join(" "), 200)}: ${ending === null ? "not known how it ended" : showEnding(ending)}`,
    toPrintable(
      `  from ${measured.before} to ${measured.after ?? "?"}, genkan ${host.genkan} on ${host.system}`,
      500,
    ),
    `  ${digest}`,
    ...showDifferences(receipt.differences),
    differences.length === 0
      ? paint("green", `${same}: ${names}`)
      : paint("red", `${since}: ${names}`),
    ...showDifferences(differences),
  ].join("\n");
}
