/** Traces as a part of the gate: one for each call, from its decision to its outcome. */

import type { Feature } from "./feature.ts";
import type { Redactor } from "./redactor.ts";
import type { TraceLimits } from "./trace.ts";
import { TraceBook, traceMigrations } from "./trace-book.ts";

export interface TraceOptions {
  /** Puts references in place of secrets, also where a caller wrote one out. */
  readonly redactor?: Redactor;
  readonly limits?: Partial<TraceLimits>;
  readonly now?: () => number;
}

export function createTraceFeature(options: TraceOptions = {}): Feature {
  return {
    name: "traces",
    migrations: traceMigrations,
    open: (store) => {
      if (store === undefined) return {};
      const book = new TraceBook(store, options);
      return {
        onDecision: (decision) => {
          if (decision.code !== "ok") book.refuse(decision);
          else if (decision.facts.risk === "write") book.begin(decision.facts); // what may have a side effect leaves a trace even of a crash
        },
        onOutcome: (outcome) => book.end(outcome),
        close: () => book.prune(),
      };
    },
  };
}
