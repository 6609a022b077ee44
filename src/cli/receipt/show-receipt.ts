/** Shows a receipt to a person: what was found, what is different, and what it cannot promise. */

import { toPrintable } from "../../protocol/index.ts";
import type { Receipt } from "../../sqlite/index.ts";
import type { Paint } from "../screen.ts";
import { showDifferences } from "./show-differences.ts";

export function showReceipt(receipt: Receipt, paint: Paint): string {
  const { verdict, differences, databases, limits } = receipt;
  const names = showPaths(databases);
  const headline = {
    unchanged: paint("green", `Unchanged: ${names}`),
    changed: paint("red", headChanged(receipt)),
    unfinished: paint("yellow", `Unfinished: the end of the run was not seen; before it, ${names}`),
  }[verdict];
  return [
    headline,
    ...showDifferences(differences),
    ...hintAtState(receipt),
    ...showFacts(receipt),
    "What it cannot promise:",
    ...limits.map((limit) => `  - ${limit}`),
    paint("dim", `Digest of this receipt: ${receipt.digest}`),
  ].join("\n");
}

/** What lies beside a database is no part of it, and the verdict counts it all the same. */
function headChanged({ databases, differences }: Receipt): string {
  const names = showPaths(databases);
  const isBeside = differences.every(
    ({ what, change }) => what === "other" || (what === "folder" && change === "changed"),
  );
  if (!isBeside) return `Changed: ${names}`;
  return `Changed beside ${names} (${databases.length === 1 ? "its" : "their"} own bytes are the same)`;
}

/** A server that keeps its state beside the database is the usual way in which somebody writes there without knowing. */
function hintAtState({ differences, after }: Receipt): readonly string[] {
  const [state, ...others] = differences.filter(
    ({ what, facts }) => what !== "folder" || Object.keys(facts).some((name) => !isTime(name)),
  );
  if (state === undefined || others.length > 0 || state.change === "came and went") return [];
  const folder = after?.folders.find(({ path }) => `${path}/.genkan` === state.path);
  const entry = folder?.entries.find(({ name }) => name === ".genkan");
  if (entry?.kind !== "folder") return [];
  const word = `'${state.path.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `  hint: this is the state folder of genkan serve: --except ${toPrintable(word, 10_000)}`,
  ];
}

function isTime(fact: string): boolean {
  return fact === "mtimeNs" || fact === "ctimeNs";
}

const maxFiles = 20;

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
      ...files.slice(0, maxFiles),
    );
  }
  if (stillRunning !== null && stillRunning.length > 0)
    lines.push(
      `  Still running when this was written: ${toPrintable(stillRunning.join(", "), 500)}`,
    );
  if (elsewhere.total > 0)
    lines.push(
      "  Elsewhere, by whomever:",
      ...showDifferences(elsewhere.differences, elsewhere.total).map((line) => `  ${line}`),
    );
  return lines;
}

/** Gives one line, safe for a terminal. */
export function showPaths(paths: readonly string[]): string {
  return toPrintable(paths.join(", "), 10_000);
}

export function showEnding({ code, signal, error }: NonNullable<Receipt["ending"]>): string {
  if (error !== null) return toPrintable(error, 1_000);
  return signal === null ? `ended with code ${code}` : `ended by ${toPrintable(signal, 20)}`;
}
