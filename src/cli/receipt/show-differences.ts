/** Shows what is different between two looks, a line for each file. */

import { toPrintable } from "../../protocol/index.ts";
import type { Difference } from "../../sqlite/index.ts";

/** Gives a line for each, up to a number that a person reads, safe for a terminal whoever wrote the receipt. */
export function showDifferences(
  differences: readonly Difference[],
  total: number = differences.length,
): readonly string[] {
  const lines = differences.slice(0, maxLines).map(({ what, change, path, facts }) => {
    const told = Object.entries(facts)
      .filter(([name]) => change !== "created" || name === "kind" || name === "size")
      .map(([name, pair]) => showFact(name, pair, change));
    const list =
      told.length === 0 || change === "removed" || change === "leads nowhere"
        ? ""
        : `: ${told.join(", ")}`;
    const subject = what === "other" ? "" : `${what} `;
    return toPrintable(`  ${change}  ${subject}${path}${list}`, maxCharacters);
  });
  const more = total - lines.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

const maxLines = 20;
const maxCharacters = 10_000;

function showFact(
  name: string,
  [before, after]: Difference["facts"][string],
  change: Difference["change"],
): string {
  const label = name.replace("Ns", "");
  if (change === "created") return name === "size" ? `${after} bytes` : String(after);
  return `${label} ${showValue(name, before)} → ${showValue(name, after)}`;
}

function showValue(name: string, value: string | number | null): string {
  if (value === null) return "none";
  if (name === "sha256") return `${String(value).slice(0, 12)}…`;
  return name.endsWith("Ns") ? showTime(String(value)) : String(value);
}

/** Gives nanoseconds since 1970 as a time in UTC, to the last of them. */
function showTime(ns: string): string {
  const [, ms = "0", rest = ""] = /^(-?\d+)(\d{6})$/.exec(ns) ?? [];
  const time = new Date(Number(ms));
  return Number.isNaN(time.getTime()) ? ns : time.toISOString().replace("Z", `${rest}Z`);
}
