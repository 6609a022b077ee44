/** Connects to a server: starts it, finds its era, and tries a second process where the first was lost to the question. */

import {
  findRevision,
  parseChange,
  toPrintable,
  UsageError,
  versionsOf,
  type Implementation,
  type NotificationMessage,
  type RequestMessage,
  type Revision,
} from "../protocol/index.ts";
import { makeMeta, type Outcome, type Plan } from "./agreement.ts";
import { callOut } from "./call-out.ts";
import { Requester } from "./requester.ts";
import { Client } from "./client.ts";
import { failCancelled, createError } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import { FreshResults } from "./fresh-results.ts";
import { capabilitiesOf } from "./handlers.ts";
import { negotiate } from "./negotiate.ts";
import { defaultPatienceMs } from "./oauth/auth.ts";
import { Observations } from "./observations.ts";
import { explainSilence, nameTarget, open, type Opening } from "./opening.ts";
import type { ConnectOptions, ConnectTarget } from "./options.ts";
import { ServerRequests } from "./server-requests.ts";
import { Subscriptions } from "./subscriptions.ts";

const defaultStartTimeoutMs = 30_000;
const defaultProbeTimeoutMs = 3_000;
const defaultTimeoutMs = 60_000;
const genkan: Implementation = { name: "genkan", version: "0.1.0" };

/**
 * Connects to a server and agrees with it on a revision.
 *
 * Throws a `ClientError` whose code tells apart a server that was not launched, exited, is silent, is slow, or writes other
 * things to stdout. No process is left behind then.
 */
export async function connect(
  target: ConnectTarget,
  options: ConnectOptions = {},
): Promise<Client> {
  const plan = makePlan(options, patienceFor(target));
  const startedAt = performance.now();
  const observations = new Observations();
  const serverRequests = new ServerRequests(options.handlers ?? {});
  const openings: Opening[] = [];
  const session: Session = {
    serverRequests,
    fresh: new FreshResults(),
    onNotification: options.onNotification,
  };
  const openOnce = async (): Promise<Opening> => {
    const opening = await open(target, options, {
      observations,
      onRequest: (request, connection) => takeRequest(session, request, connection),
      onNotification: (message) => takeNotification(session, message),
    });
    openings.push(opening);
    if (options.signal?.aborted === true) opening.connection.end(failCancelled(options.signal));
    return opening;
  };
  const onAbort = (): void => {
    for (const { connection } of openings)
      if (options.signal !== undefined) connection.end(failCancelled(options.signal));
  };
  options.signal?.addEventListener("abort", onAbort);
  try {
    const { opening, outcome } = await settle(openOnce, plan, "command" in target);
    if (outcome.kind === "failed") {
      const waitedMs = Math.round(performance.now() - startedAt);
      const { failure } = outcome;
      throw createError(
        `Cannot connect to ${nameTarget(target)}`,
        failure.code === "timeout" ? explainSilence(opening, failure.what, waitedMs) : failure,
      );
    }
    const { revision } = outcome.agreement;
    const { handlers = {}, timeoutMs = defaultTimeoutMs } = options;
    const meta = revision.era === "stateless" ? makeMeta(revision, plan) : undefined;
    const requester = new Requester({
      connection: opening.connection,
      revision,
      meta,
      handlers,
      timeoutMs,
    });
    const others = openings.filter((each) => each !== opening).map((each) => each.close(options));
    const subscriptions = new Subscriptions(requester);
    session.subscriptions = subscriptions;
    session.era = revision.era;
    const { agreement } = outcome;
    return new Client({
      requester,
      opening,
      agreement,
      serverRequests,
      subscriptions,
      fresh: session.fresh,
      stopTimes: options,
      others,
    });
  } catch (error) {
    await Promise.all(openings.map((each) => each.close(options)));
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
}

interface Settled {
  readonly opening: Opening;
  readonly outcome: Outcome;
}

/**
 * Negotiates with one process, and with a second one by `initialize` alone when the first has exited on the probe, or has said
 * nothing at all for half of the time: some servers never recover from a request they do not know.
 */
async function settle(
  openOnce: () => Promise<Opening>,
  plan: Plan,
  canRestart: boolean,
): Promise<Settled> {
  const first = await openOnce();
  const settling = negotiate(first.connection, plan).then((outcome): Settled => ({
    opening: first,
    outcome,
  }));
  if (!canRestart || plan.era !== "auto") return settling;
  const early = await untilHalfTime(settling, plan.deadline);
  if (
    early === undefined
      ? first.connection.hasHeard
      : early.outcome.kind === "agreed" || early.outcome.failure.code !== "exited"
  ) {
    return settling;
  }
  const second = await openOnce();
  const restarted = negotiate(second.connection, { ...plan, era: "handshake" }).then(
    (outcome): Settled => ({ opening: second, outcome }),
  );
  if (early !== undefined) return restarted;
  const winner = await Promise.race([settling, restarted]);
  if (winner.outcome.kind === "agreed") return winner;
  const loser = winner.opening === first ? await restarted : await settling;
  return loser.outcome.kind === "agreed" ? loser : settling;
}

async function untilHalfTime(
  settling: Promise<Settled>,
  deadline: number,
): Promise<Settled | undefined> {
  const { promise: halfTime, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, (deadline - performance.now()) / 2, undefined);
  const early = await Promise.race([settling, halfTime]);
  clearTimeout(timer);
  return early;
}

/** Where what arrives goes; the last two are known once the two sides agree. */
interface Session {
  readonly serverRequests: ServerRequests;
  readonly fresh: FreshResults;
  readonly onNotification: ConnectOptions["onNotification"];
  subscriptions?: Subscriptions;
  era?: Revision["era"];
}

function takeRequest(
  { era, serverRequests }: Session,
  request: RequestMessage,
  connection: Connection,
): void {
  if (era !== "stateless") return serverRequests.take(request, connection);
  // A stateless server must not send requests, and a client must not write responses to it.
  connection.observations.addUnansweredRequest();
  connection.observations.remark(
    `The server sent the request "${toPrintable(request.method, 60)}", which 2026-07-28 forbids`,
  );
}

function takeNotification(session: Session, message: NotificationMessage): void {
  if (message.method === "notifications/cancelled") session.serverRequests.cancel(message.params);
  const change = parseChange(message);
  if (change !== undefined) {
    session.fresh.takeChange(change);
    session.subscriptions?.takeChange(change);
  }
  if (session.onNotification !== undefined) callOut(session.onNotification, message);
}

/** A person who logs in while connecting takes longer than any server. */
function patienceFor(
  target: ConnectTarget,
): Pick<Plan, "probeTimeoutMs"> & { startTimeoutMs: number } {
  const auth = "url" in target ? target.auth : undefined;
  if (auth === undefined || !("interactive" in auth))
    return { startTimeoutMs: defaultStartTimeoutMs, probeTimeoutMs: defaultProbeTimeoutMs };
  const patienceMs = auth.interactive.timeoutMs ?? defaultPatienceMs;
  return { startTimeoutMs: defaultStartTimeoutMs + patienceMs, probeTimeoutMs: patienceMs };
}

function makePlan(options: ConnectOptions, patience: ReturnType<typeof patienceFor>): Plan {
  const {
    handlers = {},
    clientInfo = genkan,
    capabilities,
    startTimeoutMs = patience.startTimeoutMs,
  } = options;
  const revision = options.revision === undefined ? undefined : findRevision(options.revision);
  if (options.revision !== undefined && revision === undefined) {
    throw new UsageError(
      "unknown-revision",
      `Cannot speak "${options.revision}": it is no revision of MCP, expected one of ${versionsOf().join(", ")}`,
    );
  }
  const { era = revision?.era ?? "auto" } = options;
  if (revision !== undefined && era !== "auto" && era !== revision.era) {
    throw new UsageError(
      "contradiction",
      `Cannot speak ${revision.version} in the ${era} era: it belongs to the other one, expected era "${revision.era}"`,
    );
  }
  return {
    era: revision?.era ?? era,
    revision,
    clientInfo,
    capabilities: { ...capabilities, ...capabilitiesOf(handlers) },
    probeTimeoutMs: options.probeTimeoutMs ?? patience.probeTimeoutMs,
    deadline: performance.now() + startTimeoutMs,
  };
}
