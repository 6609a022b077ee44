/** Shows a receipt to a person: what was found, what is different, and what it cannot promise. */

import { toPrintable } from "../../protocol/index.ts";
import type { Difference, Receipt } from "../../sqlite/index.ts";
import type { Style } from "../screen.ts";

type Paint = (style: Style, text: string) => string;

export function showReceipt(receipt: Receipt, paint: Paint): string {
  const { verdict, differences, databases, limits } = receipt;
  const names = databases.map((path) => toPrintable(path, maxShown)).join(", ");
  const headline = {
    unchanged: paint("green", `Unchanged: ${names}`),
    changed: paint("red", `Changed: ${names}`),
    unfinished: paint("yellow", `Unfinished: the end of the run was not seen; before it, ${names}`),
  }[verdict];
  return [
    headline,
    ...showDifferences(differences),
    ...showFacts(receipt),
    "What it cannot promise:",
    ...limits.map((limit) => `  - ${limit}`),
    paint("dim", `Digest of this receipt: ${receipt.digest}`),
  ].join("\n");
}

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
  const names = (moved === undefined ? databases : [moved])
    .map((path) => toPrintable(path, maxShown))
    .join(", ");
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
    `  from ${measured.before} to ${measured.after ?? "?"}, genkan ${host.genkan} on ${host.system}`,
    `  ${digest}`,
    ...showDifferences(receipt.differences),
    differences.length === 0
      ? paint("green", `${same}: ${names}`)
      : paint("red", `${since}: ${names}`),
    ...showDifferences(differences),
  ].join("\n");
}

/** Gives a line for each, up to a number that a person reads. */
export function showDifferences(differences: readonly Difference[]): readonly string[] {
  const lines = differences.slice(0, maxLines).map(({ what, change, path, facts }) => {
    const told = Object.entries(facts)
      .filter(([name]) => change !== "created" || name === "kind" || name === "size")
      .map(([name, pair]) => showFact(name, pair, change));
    const list =
      told.length === 0 || change === "removed" || change === "leads nowhere"
        ? ""
        : `: ${told.join(", ")}`;
    return `  ${change}  ${what === "other" ? "" : `${what} `}${path}${list}`;
  });
  const more = differences.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

const maxLines = 20;
const maxShown = 1_000;

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

function showFacts({
  before,
  command,
  ending,
  elsewhere,
  stillRunning,
  trace,
  measured: { writtenBytes },
}: Receipt): readonly string[] {
  const lines = before.databases.flatMap(({ folder, name }) => {
    const entries = before.folders.find(({ path }) => path === folder)?.entries ?? [];
    const own = entries.find((entry) => entry.name === name);
    const beside = entries.filter((entry) => entry.name !== name && entry.sha256 !== undefined);
    const others =
      beside.length === 0 ? "" : `, with ${beside.map((entry) => entry.name).join(", ")}`;
    return [
      `  ${own?.sha256 ?? ""}  ${name}${others}`,
      `  ${entries.length === 1 ? "1 entry" : `${entries.length} entries`} in ${folder}, all compared`,
    ];
  });
  if (ending !== null)
    lines.push(`  ${toPrintable(command.words.join(" "), 200)}: ${showEnding(ending)}`);
  if (writtenBytes !== null)
    lines.push(
      writtenBytes === 0
        ? "  By the kernel's account the command wrote nothing to any disk"
        : `  By the kernel's account the command wrote ${writtenBytes} bytes to some disk, also where its output goes to a file`,
    );
  if (trace !== null) {
    const files = trace.files.map(({ path, acts }) => `    ${path}: ${acts.join(", ")}`);
    lines.push(
      `  By the trace, the command touched ${trace.total} files`,
      ...files.slice(0, maxLines),
    );
  }
  if (stillRunning !== null && stillRunning.length > 0)
    lines.push(`  Still running when this was written: ${stillRunning.join(", ")}`);
  if (elsewhere.total > 0)
    lines.push(
      "  Elsewhere, by whomever:",
      ...showDifferences(elsewhere.differences).map((line) => `  ${line}`),
    );
  return lines;
}

function showEnding({ code, signal, error }: NonNullable<Receipt["ending"]>): string {
  if (error !== null) return error;
  return signal === null ? `ended with code ${code}` : `ended by ${signal}`;
}
