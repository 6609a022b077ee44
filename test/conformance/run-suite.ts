/** Runs one suite and reads what it has found. */

import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
  /** What the client under examination wrote to stderr, if there was one. */
  readonly stderr: string;
}

interface Finding {
  readonly checks: readonly Check[];
  readonly stderr: string;
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
    const findings = readFindings(folder, suite.side);
    const names = new Set([...(standings?.keys() ?? []), ...findings.keys()]);
    const scenarios = [...names].map((name) =>
      judge(name, standings?.get(name) ?? "required", findings.get(name) ?? nothing),
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
    .map(({ name, verdict, objections, stderr }) => {
      const why = objections.map(
        ({ id, status, errorMessage = "" }) => `${status} ${id} ${errorMessage}`,
      );
      return [`${name}: ${verdict}`, ...why, ...stderr.split("\n", 5)].join("\n    ").trimEnd();
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
function readFindings(folder: string, side: Suite["side"]): Map<string, Finding> {
  const found = new Map<string, Finding>();
  for (const file of globSync("**/checks.json", { cwd: folder }).toSorted()) {
    const place = dirname(file)
      .replaceAll("\\", "/")
      .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    const name = side === "server" ? place.replace(/^server-/, "") : place;
    const checks = parseChecks(readFileSync(join(folder, file), "utf8"), file);
    const read = (other: string): string =>
      readFileSync(join(folder, dirname(file), other), "utf8");
    const isDone = side === "server" || read("stdout.txt").includes("done\n");
    found.set(name, {
      checks: isDone ? checks : [...checks, notDone],
      stderr: side === "server" ? "" : read("stderr.txt"),
    });
  }
  return found;
}

/** The suite itself does not mind a client that falls over after what it came to see. */
const notDone: Check = {
  id: "client-is-done",
  status: "FAILURE",
  errorMessage: "the client did not come to its end, expected it to print done",
};

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
function judge(name: string, standing: Standing, { checks, stderr }: Finding): Scenario {
  const objections = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const hasSuccess = checks.some(({ status }) => status === "SUCCESS");
  const verdict = objections.length > 0 ? "failed" : hasSuccess ? "passed" : "not exercised";
  return { name, standing, verdict, objections, stderr };
}

const nothing: Finding = { checks: [], stderr: "" };
