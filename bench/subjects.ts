/** Who is measured, and in which revisions. */

import { fileURLToPath } from "node:url";
import type { Case } from "./bench.ts";
import type { Revision } from "./messages.ts";

const both: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const revisions: Readonly<Record<string, readonly Revision[]>> = {
  bare: both,
  genkan: both,
  "genkan-hono": both,
  "sdk-v1": ["2025-11-25"], // the newest that it speaks
  "sdk-v2": both,
};
const everywhere = ["bare", "genkan", "sdk-v1", "sdk-v2"];

/** Servers with one tool `echo`. */
export const serverCases: readonly Case[] = listCases("", everywhere);

/** Programs that drive a client; see `client-loop.js` for how they are started. */
export const clientCases: readonly Case[] = listCases("client-", everywhere);

/** Servers with one tool `echo` at a port that they tell; see `http-subject.js`. */
export const httpServerCases: readonly Case[] = listCases("http-", Object.keys(revisions));

export const httpClientCases: readonly Case[] = listCases("http-client-", everywhere);

export function pathOf(program: string): string {
  return fileURLToPath(new URL(`subjects/${program}.js`, import.meta.url));
}

function listCases(prefix: string, subjects: readonly string[]): readonly Case[] {
  return subjects.flatMap((subject) =>
    (revisions[subject] ?? []).map((revision) => ({
      subject,
      revision,
      what: pathOf(prefix + subject),
    })),
  );
}
