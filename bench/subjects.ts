/** Who is measured, and in which revisions. */

import { fileURLToPath } from "node:url";
import type { Case } from "./bench.ts";
import type { Revision } from "./messages.ts";

const both: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const revisions: Readonly<Record<string, readonly Revision[]>> = {
  bare: both,
  genkan: both,
  "sdk-v1": ["2025-11-25"], // the newest that it speaks
  "sdk-v2": both,
};

/** Servers with one tool `echo`. */
export const serverCases: readonly Case[] = listCases("");

/** Programs that drive a client; see `client-loop.js` for how they are started. */
export const clientCases: readonly Case[] = listCases("client-");

export function pathOf(program: string): string {
  return fileURLToPath(new URL(`subjects/${program}.js`, import.meta.url));
}

function listCases(prefix: string): readonly Case[] {
  return Object.entries(revisions).flatMap(([subject, spoken]) =>
    spoken.map((revision) => ({ subject, revision, what: pathOf(prefix + subject) })),
  );
}
