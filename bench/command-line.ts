/** What may be typed after `npm run bench --`. */

import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";

export interface Wish {
  readonly benches: readonly Bench[];
  readonly rounds: number | undefined;
  /** The subjects; empty for all. */
  readonly only: readonly string[];
  readonly isJson: boolean;
  /** Rewrites the results in docs/bench.md. */
  readonly isToBeWritten: boolean;
}

/** Throws an error with one sentence for what cannot be done. */
export function parseCommandLine(args: readonly string[], all: readonly Bench[]): Wish {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      only: { type: "string", default: "" },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((wanted) => !all.some((bench) => isNamed(bench, wanted)));
  if (unknown !== undefined) {
    const names = all.map(({ name }) => name).join(", ");
    throw new Error(`Cannot run the bench "${unknown}": there is none, expected one of ${names}`);
  }
  const only = values.only.split(",").filter((name) => name !== "");
  const subjects = new Set(all.flatMap(({ cases }) => cases.map(({ subject }) => subject)));
  const stranger = only.find((name) => !subjects.has(name));
  if (stranger !== undefined) {
    throw new Error(
      `Cannot measure "${stranger}": there is no such subject, expected some of ${[...subjects].join(", ")}`,
    );
  }
  if (values.write && positionals.length + only.length > 0) {
    throw new Error(
      "Cannot write the page from a part: it holds all benches and all subjects; leave the names out",
    );
  }
  return {
    benches:
      positionals.length === 0
        ? all
        : all.filter((bench) => positionals.some((wanted) => isNamed(bench, wanted))),
    rounds: values.rounds === undefined ? undefined : parseRounds(values.rounds),
    only,
    isJson: values.json,
    isToBeWritten: values.write,
  };
}

/** `http` names `http-calls` and all others that begin with it. */
function isNamed({ name }: Bench, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}-`);
}

function parseRounds(text: string): number {
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000) return rounds;
  throw new Error(`Cannot run "${text}" rounds, expected a whole number from 1 to 1000`);
}
