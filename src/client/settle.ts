/** Agrees with a server on a revision, with a second process where the first was lost to the question. */

import { within } from "../transport/index.ts";
import type { Outcome } from "./agreement.ts";
import { negotiate } from "./negotiate.ts";
import type { Opening } from "./opening.ts";
import type { Openings } from "./openings.ts";
import type { Plan } from "./plan.ts";

export interface Settled {
  readonly opening: Opening;
  readonly outcome: Outcome;
}

/**
 * Negotiates with one process, and with a second one by `initialize` alone when the first has exited on the probe, or has said
 * nothing at all for half of the time: some servers never recover from a request they do not know.
 */
export async function settle(openings: Openings, plan: Plan): Promise<Settled> {
  const first = await openings.open();
  const settling = negotiate(first.connection, plan).then((outcome): Settled => ({
    opening: first,
    outcome,
  }));
  if (!openings.canRestart || plan.era !== "auto") return settling;
  const early = await within(settling, (plan.deadline - performance.now()) / 2);
  if (
    early === undefined
      ? first.connection.hasHeard
      : early.outcome.kind === "agreed" || early.outcome.failure.code !== "exited"
  ) {
    return settling;
  }
  const second = await openings.open();
  const restarted = negotiate(second.connection, { ...plan, era: "handshake" }).then(
    (outcome): Settled => ({ opening: second, outcome }),
  );
  if (early !== undefined) return restarted;
  const winner = await Promise.race([settling, restarted]);
  if (winner.outcome.kind === "agreed") return winner;
  const loser = winner.opening === first ? await restarted : await settling;
  return loser.outcome.kind === "agreed" ? loser : settling;
}
