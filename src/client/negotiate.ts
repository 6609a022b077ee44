/** Finds out which era a server belongs to, and agrees with it on a revision. */

import {
  describeValue,
  ErrorCode,
  findRevision,
  isObject,
  isStringArray,
  latestHandshake,
  latestStateless,
  MetaKey,
  toPrintable,
  versionsOf,
  type JsonObject,
} from "../protocol/index.ts";
import { within } from "../transport/index.ts";
import { readAgreement, type Outcome } from "./agreement.ts";
import { noOptions } from "./call-options.ts";
import { chooseVersion, explainNoCommonVersion, listVersions } from "./choose-version.ts";
import type { Failure } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import type { Hint } from "./hint.ts";
import { createMeta, spokenVersions, type Plan } from "./plan.ts";

/** What a reply to `server/discover` says beyond success and failure. */
type Verdict =
  | Outcome
  /** Not a server of the stateless era, or one that wants `version` by handshake. */
  | { readonly kind: "legacy"; readonly version?: string }
  /** The reply was damaged on its way and says nothing of the era. */
  | { readonly kind: "spoilt"; readonly failure: Failure };

type Reply =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Agrees on a revision, or says why there is none. Never rejects. */
export async function negotiate(connection: Connection, plan: Plan): Promise<Outcome> {
  const outcome = await chooseEra(connection, plan);
  if (outcome.kind === "failed") return outcome;
  const { revision } = outcome.agreement;
  connection.acceptsBatches = revision.batches;
  if (revision.era === "handshake") connection.notify("notifications/initialized");
  return outcome;
}

async function chooseEra(connection: Connection, plan: Plan): Promise<Outcome> {
  switch (plan.era) {
    case "handshake":
      return initialize(connection, plan);
    case "stateless": {
      const verdict = await discover(connection, plan);
      if (verdict.kind === "agreed" || verdict.kind === "failed") return verdict;
      if (verdict.kind === "spoilt") return { kind: "failed", failure: verdict.failure };
      return refuse(
        "the server does not answer server/discover as 2026-07-28 has it, expected a stateless server",
        { option: "era", value: "auto" },
      );
    }
    case "auto":
      return probe(connection, plan);
  }
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility */
async function probe(connection: Connection, plan: Plan): Promise<Outcome> {
  const giveUp = new AbortController();
  const discovering = discover(connection, plan, giveUp.signal);
  const verdict = await within(discovering, plan.probeTimeoutMs);
  if (verdict === undefined) {
    const outcome = await firstToAgree(
      discovering,
      initialize(connection, plan, undefined, giveUp.signal),
      plan,
    );
    giveUp.abort();
    return outcome;
  }
  if (verdict.kind === "agreed" || verdict.kind === "failed") return verdict;
  const outcome = await initialize(
    connection,
    plan,
    verdict.kind === "legacy" ? verdict.version : undefined,
  );
  return outcome.kind === "failed" && namesStateless(outcome.failure)
    ? preferAgreed(await discover(connection, plan), outcome)
    : outcome;
}

/** Silence has two reasons, an old server and a slow one: whichever agrees first has decided. */
async function firstToAgree(
  discovering: Promise<Verdict>,
  initializing: Promise<Outcome>,
  plan: Plan,
): Promise<Outcome> {
  const late = discovering.then((verdict) => (verdict.kind === "agreed" ? verdict : initializing));
  const outcome = await Promise.race([late, initializing]);
  if (outcome.kind === "agreed") return outcome;
  return preferAgreed((await within(discovering, plan.probeTimeoutMs)) ?? outcome, outcome);
}

function preferAgreed(verdict: Verdict, otherwise: Outcome): Outcome {
  return verdict.kind === "agreed" ? verdict : otherwise;
}

/** A reply damaged by a banner or a byte order mark is asked for once more: what stood before the first is gone by then. */
async function discover(
  connection: Connection,
  plan: Plan,
  signal?: AbortSignal,
): Promise<Verdict> {
  const first = await askDiscover(connection, plan, signal);
  return first.kind === "spoilt" ? askDiscover(connection, plan, signal) : first;
}

async function askDiscover(
  connection: Connection,
  plan: Plan,
  signal?: AbortSignal,
): Promise<Verdict> {
  const params = { _meta: createMeta(latestStateless, plan) };
  const reply = await ask(connection, "server/discover", params, plan, signal);
  return reply.kind === "result"
    ? judgeDiscovery(reply.result, connection, plan)
    : judgeRefusal(reply.failure, plan);
}

function judgeDiscovery(result: JsonObject, connection: Connection, plan: Plan): Verdict {
  const { supportedVersions, resultType = "complete" } = result;
  if (!isStringArray(supportedVersions) || resultType !== "complete") {
    const is = describeValue(supportedVersions);
    connection.observations.remark(
      `The result of server/discover has "supportedVersions" that is ${is}, expected an array of strings`,
    );
    return { kind: "legacy" };
  }
  const chosen = chooseVersion(supportedVersions, plan);
  if (chosen === undefined)
    return { kind: "failed", failure: explainNoCommonVersion(supportedVersions, plan) };
  if (chosen.era === "handshake") return { kind: "legacy", version: chosen.version };
  const meta = result["_meta"];
  return {
    kind: "agreed",
    agreement: readAgreement(
      chosen,
      result,
      isObject(meta) ? meta[MetaKey.serverInfo] : undefined,
      connection,
    ),
  };
}

function judgeRefusal(failure: Failure, plan: Plan): Verdict {
  const { body, code, fault } = failure;
  if (fault?.name === "http-status") return { kind: "legacy" }; // no place for a request without a session
  if (code === "protocol") return { kind: "spoilt", failure };
  if (body === undefined) return { kind: "failed", failure };
  if (body.code === ErrorCode.UnsupportedProtocolVersion)
    return judgeUnsupported(body.data, failure, plan);
  if (
    body.code === ErrorCode.MissingRequiredClientCapability ||
    body.code === ErrorCode.HeaderMismatch
  ) {
    return { kind: "failed", failure };
  }
  return { kind: "legacy" };
}

function judgeUnsupported(data: unknown, failure: Failure, plan: Plan): Verdict {
  const supported = isObject(data) ? data["supported"] : undefined;
  if (!isStringArray(supported)) return { kind: "failed", failure };
  if (supported.includes(latestStateless.version)) return { kind: "spoilt", failure }; // it says what was asked for: once more
  const handshake = supported.map(findRevision).find((revision) => revision?.era === "handshake");
  if (handshake !== undefined) return { kind: "legacy", version: handshake.version };
  return { kind: "failed", failure: { ...failure, ...explainNoCommonVersion(supported, plan) } };
}

async function initialize(
  connection: Connection,
  plan: Plan,
  version?: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const offered =
    plan.revision?.era === "handshake"
      ? plan.revision.version
      : (version ?? latestHandshake.version);
  const reply = await askInitialize(connection, plan, offered, signal);
  if (reply.kind === "result") return judgeInitialization(reply.result, connection, plan);
  const counter = findCounterOffer(reply.failure, offered, plan);
  if (counter === undefined) return reply;
  connection.observations.remark(
    `The server refused the version ${offered} by an error, expected a result with the version it speaks`,
  );
  const second = await askInitialize(connection, plan, counter, signal);
  return second.kind === "result" ? judgeInitialization(second.result, connection, plan) : second;
}

function askInitialize(
  connection: Connection,
  plan: Plan,
  protocolVersion: string,
  signal?: AbortSignal,
): Promise<Reply> {
  const { clientInfo, capabilities } = plan;
  return ask(connection, "initialize", { protocolVersion, capabilities, clientInfo }, plan, signal);
}

function judgeInitialization(result: JsonObject, connection: Connection, plan: Plan): Outcome {
  const { protocolVersion, serverInfo } = result;
  const spoken = spokenVersions(plan, "handshake");
  const revision = findRevision(protocolVersion);
  if (revision === undefined || !spoken.includes(revision.version)) {
    const is = toPrintable(describeValue(protocolVersion), 60);
    const what = `the server's result of initialize has "protocolVersion" that is ${is}, expected ${listVersions(spoken)}`;
    return { kind: "failed", failure: { code: "version", what } };
  }
  return { kind: "agreed", agreement: readAgreement(revision, result, serverInfo, connection) };
}

/** Some servers refuse an unknown version by an error that names theirs, where the handshake wants a counter-offer. */
function findCounterOffer({ body }: Failure, offered: string, plan: Plan): string | undefined {
  const supported = isObject(body?.data) ? body.data["supported"] : undefined;
  if (!isStringArray(supported) || plan.revision !== undefined) return undefined;
  return versionsOf("handshake").find(
    (version) => version !== offered && supported.includes(version),
  );
}

function namesStateless({ body }: Failure): boolean {
  const supported = isObject(body?.data) ? body.data["supported"] : undefined;
  return isStringArray(supported) && supported.includes(latestStateless.version);
}

function ask(
  connection: Connection,
  method: string,
  params: JsonObject,
  plan: Plan,
  signal?: AbortSignal,
): Promise<Reply> {
  const { unanswered } = connection;
  unanswered.add(method);
  return new Promise((resolve) => {
    connection.send({
      method,
      params,
      timeoutMs: Math.max(0, plan.deadline - performance.now()),
      options: signal === undefined ? noOptions : { signal },
      isQuiet: true,
      succeed: (result) => {
        unanswered.delete(method);
        resolve({ kind: "result", result });
      },
      fail: (failure) => {
        if (failure.code !== "timeout") unanswered.delete(method);
        resolve({ kind: "failed", failure });
      },
    });
  });
}

function refuse(what: string, hint: Hint): Outcome {
  return { kind: "failed", failure: { code: "version", what, hint } };
}
