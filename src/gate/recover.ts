/** After a crash: what the dead process had begun becomes `outcome_unknown`, for good. */

import { record, requireState, type Core } from "./core.ts";
import { sealEnvelope, toRefusal } from "./seal.ts";

/** Looks for runners that are dead, and recovers what they had begun. Throws a `StateError`. */
export function recoverAll(core: Core): void {
  const { runners } = requireState(core);
  for (const runner of runners.list()) if (!runners.isAlive(runner)) recover(core, runner);
}

/** Makes the work of a runner that is dead unknown, and records each as an outcome. */
export function recover(core: Core, runner: string): void {
  const { store, ledger, runners } = requireState(core);
  const count = store.transact(() => {
    const abandoned = ledger.abandon(runner);
    for (const { facts, grant } of abandoned) {
      const ending = {
        code: "outcome_unknown",
        message: "The process ended before the outcome was stored",
      } as const;
      const { envelope } = sealEnvelope(toRefusal(facts, ending), facts, core.hooks, Infinity);
      record(core, undefined, {
        facts,
        at: core.now(),
        grant,
        envelope,
        steps: [],
        thrown: undefined,
      });
    }
    return abandoned.length;
  });
  if (count > 0 || runners.isOld(runner)) runners.forget(runner); // one without work may be about to take its lock
}
