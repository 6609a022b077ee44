/** Connects to a server: opens it, agrees with it, and gives the client that calls it. */

import type { Agreement } from "./agreement.ts";
import { checkTarget } from "./check-target.ts";
import { Client } from "./client.ts";
import { createError, type Failure } from "./client-error.ts";
import { explainSilence } from "./explain-opening.ts";
import { nameTarget } from "./name-target.ts";
import type { Opening } from "./opening.ts";
import { Openings } from "./openings.ts";
import type { ConnectOptions, ConnectTarget } from "./options.ts";
import { createMeta, createPlan, type Plan } from "./plan.ts";
import { Receivers } from "./receivers.ts";
import { Requester } from "./requester.ts";
import { settle } from "./settle.ts";
import { Subscriptions } from "./subscriptions.ts";

/**
 * Connects to a server and agrees with it on a revision.
 *
 * Throws a `ClientError` whose code tells apart a server that was not launched, exited, is silent, is slow, or writes other
 * things to stdout; a `UsageError` for a target or an option that cannot be meant. No process is left behind then.
 */
export async function connect(
  target: ConnectTarget,
  options: ConnectOptions = {},
): Promise<Client> {
  checkTarget(target);
  const plan = createPlan(target, options);
  const receivers = new Receivers(options, plan.handlerTimeoutMs);
  using openings = new Openings(target, options, receivers);
  try {
    const { opening, outcome } = await settle(openings, plan);
    if (outcome.kind === "failed") {
      const failure = explainFailure(outcome.failure, opening, plan);
      throw createError(`Cannot connect to ${nameTarget(target)}`, failure);
    }
    const { agreement } = outcome;
    return createClient({ plan, options, receivers, openings, opening, agreement });
  } catch (error) {
    await Promise.all(openings.closeOthers(undefined));
    throw error;
  }
}

interface Parts {
  readonly plan: Plan;
  readonly options: ConnectOptions;
  readonly receivers: Receivers;
  readonly openings: Openings;
  readonly opening: Opening;
  readonly agreement: Agreement;
}

function createClient({ plan, options, receivers, openings, opening, agreement }: Parts): Client {
  const { revision } = agreement;
  const { handlers = {} } = options;
  const { timeoutMs, handlerTimeoutMs, stopTimes } = plan;
  const meta = revision.era === "stateless" ? createMeta(revision, plan) : undefined;
  const { connection } = opening;
  const times = { timeoutMs, handlerTimeoutMs };
  const requester = new Requester({ connection, revision, meta, handlers, ...times });
  const subscriptions = new Subscriptions(requester);
  receivers.settle(revision.era, subscriptions);
  return new Client({
    requester,
    opening,
    agreement,
    serverRequests: receivers.serverRequests,
    subscriptions,
    fresh: receivers.fresh,
    stopTimes,
    others: openings.closeOthers(opening),
  });
}

/** Where nothing came in time, what else was seen says why. */
function explainFailure(failure: Failure, opening: Opening, { startedAt }: Plan): Failure {
  if (failure.code !== "timeout") return failure;
  return explainSilence(opening, failure.what, Math.round(performance.now() - startedAt));
}
