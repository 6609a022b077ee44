/** Runs one suite and reads what it has found. */

import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runReferee } from "./referee.ts";
import { readStandings, type Standing, type Suite } from "./suites.ts";

export interface Report {
  readonly suite: Suite;
  readonly exitCode: number | null;
  readonly scenarios: readonly Scenario[];
}

export interface Scenario {
  readonly name: string;
  readonly standing: Standing;
  readonly verdict: "passed" | "failed" | "not exercised";
  /** The checks that failed, or that the suite warns of. */
  readonly objections: readonly Check[];
}

export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** @param serverUrl where the server under examination is */
export async function runSuite(suite: Suite, serverUrl: string): Promise<Report> {
  const standings = await readStandings(suite);
  const folder = mkdtempSync(join(tmpdir(), "genkan-conformance-"));
  try {
    const subject =
      suite.side === "server"
        ? ["--url", serverUrl]
        : ["--command", `"${process.execPath}" "${client}"`, "--timeout", String(clientTimeoutMs)];
    const { exitCode } = await runReferee(
      [suite.side, ...subject, ...suite.selection, "--output-dir", folder],
      { NODE_COMPILE_CACHE: compileCache },
    );
    const checks = readChecks(folder, suite.side);
    const names = standings === undefined ? checks.keys() : standings.keys();
    const scenarios = [...names].map((name) =>
      judge(name, standings?.get(name) ?? "required", checks.get(name) ?? []),
    );
    return { suite, exitCode, scenarios };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a report lacks for a pass: each required scenario that was not passed, in one line. */
export function listShortcomings({ exitCode, scenarios }: Report): readonly string[] {
  const required = scenarios.filter(({ standing }) => standing === "required");
  const lines = required
    .filter(({ verdict }) => verdict !== "passed")
    .map(({ name, verdict, objections }) => {
      const why = objections.map(
        ({ id, status, errorMessage = "" }) => `${status} ${id} ${errorMessage}`,
      );
      return [`${name}: ${verdict}`, ...why].join("\n    ");
    });
  if (required.length === 0) lines.push("no required scenario has run");
  if (exitCode !== 0) lines.push(`the suite exited with ${exitCode}, expected 0`);
  return lines;
}

const client = fileURLToPath(new URL("everything-client.ts", import.meta.url));

/** Dozens of clients start at once, and some of what the suite watches is their timing. */
const compileCache = fileURLToPath(
  new URL("../../node_modules/.cache/genkan-conformance", import.meta.url),
);

/** Longer than the client gives itself: the suite ends only the shell around it. */
const clientTimeoutMs = 120_000;

/** Reads the results, each in a folder that is named for its scenario and the time. */
function readChecks(folder: string, side: Suite["side"]): Map<string, readonly Check[]> {
  const found = new Map<string, readonly Check[]>();
  for (const file of globSync("**/checks.json", { cwd: folder }).toSorted()) {
    const place = dirname(file)
      .replaceAll("\\", "/")
      .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    const name = side === "server" ? place.replace(/^server-/, "") : place;
    found.set(name, parseChecks(readFileSync(join(folder, file), "utf8"), basename(file)));
  }
  return found;
}

function parseChecks(text: string, file: string): readonly Check[] {
  const checks: unknown = JSON.parse(text);
  if (Array.isArray(checks) && checks.every(isCheck)) return checks;
  throw new Error(`Cannot read ${file}: expected a list of checks`);
}

function isCheck(check: unknown): check is Check {
  if (typeof check !== "object" || check === null || !("id" in check && "status" in check))
    return false;
  return typeof check.id === "string" && typeof check.status === "string";
}

/** A warning counts as a failure; a scenario that checked nothing has not been passed. */
function judge(name: string, standing: Standing, checks: readonly Check[]): Scenario {
  const objections = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const hasSuccess = checks.some(({ status }) => status === "SUCCESS");
  const verdict = objections.length > 0 ? "failed" : hasSuccess ? "passed" : "not exercised";
  return { name, standing, verdict, objections };
}
