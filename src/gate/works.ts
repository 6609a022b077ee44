/**
 * The way of a call with ids: one piece of work for each key, whoever asks for it and however often.
 *
 * The work belongs to the ledger: whoever waits for it may go away and come back.
 */

import { Underway } from "../protocol/index.ts";
import { claim, lookUp, type Claim } from "./claim.ts";
import { countBegin, mayGoWithoutState, record, requireState, type Core } from "./core.ts";
import {
  conflict,
  describeExpired,
  describeStateError,
  describeTurn,
  describeUnknown,
  stillRunning,
} from "./endings.ts";
import type { Entry, Sealed } from "./ledger.ts";
import { recover } from "./recover.ts";
import { RunningCall } from "./running-call.ts";
import { runTool, waitUntil, type Finish } from "./run-tool.ts";
import { sealEnvelope, toLate, toRefusal, type Ending } from "./seal.ts";
import { settle } from "./settle.ts";
import { StateError } from "./state-error.ts";
import type { WorkRequest } from "./work.ts";

interface Work {
  readonly digest: string;
  /** Whether its deadline has been told while the tool goes on. */
  isLate: boolean;
  call: RunningCall | undefined;
  answer: Promise<Sealed> | undefined;
  /** Stores the outcome that could not be stored. */
  save: (() => void) | undefined;
}

/** The state failed; a read may be configured to go on without it. */
type Stateless =
  | { readonly kind: "without state" }
  | { readonly kind: "refused"; readonly ending: Ending };

export class Works {
  readonly #core: Core;
  readonly #works = new Underway<string, Work>();
  readonly #ends = new Set<Promise<unknown>>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Does the call, joins it where it is being done, or gives the result it had. */
  do(request: WorkRequest): Promise<Sealed> {
    const known = this.#works.get(request.key);
    if (known !== undefined) return this.#join(known, request);
    const work: Work = {
      digest: request.digest,
      isLate: false,
      call: undefined,
      answer: undefined,
      save: undefined,
    };
    this.#works.set(request.key, work);
    work.answer = this.#begin(work, request).finally(() => this.#forget(work, request.key));
    return work.answer;
  }

  /** Stores the outcomes that could not be stored. Throws a `StateError` when they still cannot. */
  saveAll(): void {
    for (const [key, work] of this.#works.entries()) {
      if (work.save === undefined) continue;
      work.save();
      work.save = undefined;
      this.#works.delete(key);
    }
  }

  /** Waits for all work to end; after a time it is told to stop, and soon after that no longer waited for. */
  async finish(drainMs: number): Promise<void> {
    if (this.#ends.size === 0) return;
    const all = Promise.allSettled(this.#ends);
    if ((await waitUntil(all, drainMs, () => this.#stopAll())) === undefined)
      await waitUntil(all, graceMs, () => {});
  }

  /** Gives up the work that has not ended, as if the process had died. Throws a `StateError`. */
  abandonAll(): void {
    if (this.#ends.size > 0) recover(this.#core, requireState(this.#core).runners.hold());
  }

  #stopAll(): void {
    for (const { call } of this.#works.values()) call?.stop(new Error("The gate is closing"));
  }

  async #join(work: Work, request: WorkRequest): Promise<Sealed> {
    if (work.digest !== request.digest) return refuse(this.#core, request, conflict);
    if (work.isLate || work.answer === undefined) return refuse(this.#core, request, stillRunning);
    return work.answer;
  }

  /** Work that is late, or whose outcome is not stored, is kept so that a repetition finds it. */
  #forget(work: Work, key: string): void {
    if (!work.isLate && work.save === undefined) this.#works.delete(key);
  }

  async #begin(work: Work, request: WorkRequest): Promise<Sealed> {
    const claimed = await this.#claimInTurn(request);
    switch (claimed.kind) {
      case "refused":
        return refuse(this.#core, request, claimed.ending);
      case "found":
        return this.#answerFrom(claimed.entry, work, request);
      case "claimed":
        return this.#run(work, request, claimed.grant, true);
      case "without state":
        return this.#run(work, request, undefined, false);
    }
  }

  /** Waits for a turn and claims; the lanes are entered when the call may run, and only then. */
  async #claimInTurn(request: WorkRequest): Promise<Claim | Stateless> {
    const core = this.#core;
    const lanes = request.tool.lanesOf(request.facts);
    if (core.lanes.hasRoom(lanes)) core.lanes.enter(lanes);
    else {
      const early = this.#unlessStateFails(request, () => lookUp(core, request)); // what is known or refused anyway does not wait
      if (early.kind === "found" || early.kind === "refused") return early;
      const full = core.lanes.findFull(lanes);
      const turn = await core.lanes.wait(lanes);
      const { limits } = core.policyOf(request.facts.principal);
      if (turn !== "entered") return { kind: "refused", ending: describeTurn(turn, full, limits) };
    }
    const claimed = this.#unlessStateFails(request, () => claim(core, request));
    if (claimed.kind === "found" || claimed.kind === "refused") core.lanes.leave(lanes);
    return claimed;
  }

  #unlessStateFails<Result>(request: WorkRequest, act: () => Result): Result | Stateless {
    try {
      return act();
    } catch (thrown) {
      if (!(thrown instanceof StateError)) throw thrown;
      this.#core.noteTrouble(thrown);
      if (mayGoWithoutState(this.#core, request.facts.risk)) return { kind: "without state" };
      return { kind: "refused", ending: describeStateError(thrown) };
    }
  }

  async #run(
    work: Work,
    request: WorkRequest,
    grant: string | undefined,
    isKept: boolean,
  ): Promise<Sealed> {
    const core = this.#core;
    const { facts, tool, checks, runnable, context } = request;
    countBegin(core, facts, tool.limits.callsPerMinute);
    const call = new RunningCall(facts, tool, core.support, context, true);
    if (!isKept) call.warn(withoutStateText);
    work.call = call;
    const end = (finish: Finish): Sealed => {
      core.lanes.leave(tool.lanesOf(facts));
      const { sealed, save } = settle(core, request, call, finish, grant, isKept);
      work.save = save;
      if (work.isLate) work.answer = Promise.resolve(sealed); // whoever asks again gets the true end
      return sealed;
    };
    const finish = runTool(runnable, checks, call, tool.limits.attempts);
    if (!(finish instanceof Promise)) return end(finish);
    const ended = finish.then(end);
    this.#ends.add(ended);
    const forget = (): void => {
      this.#ends.delete(ended);
      if (!work.isLate) return;
      work.isLate = false;
      this.#forget(work, request.key);
    };
    ended.then(forget, forget);
    const { deadlineMs } = tool.limits;
    const sealed = await waitUntil(
      ended,
      deadlineMs,
      () => {
        work.isLate = true;
        call.stop(new Error(`The deadline of ${deadlineMs} ms is over`));
      },
      core.waits,
    );
    return sealed ?? { envelope: toLate(call, deadlineMs), links: [] };
  }

  async #answerFrom(entry: Entry, work: Work, request: WorkRequest): Promise<Sealed> {
    const { findOut } = request.tool;
    if (entry.digest !== request.digest) return refuse(this.#core, request, conflict);
    switch (entry.state) {
      case "done":
        return { ...entry.sealed, envelope: { ...entry.sealed.envelope, replayed: true } };
      case "unknown":
        return refuse(this.#core, request, describeUnknown(entry, findOut));
      case "expired":
        return refuse(this.#core, request, describeExpired(entry.endedAt, findOut));
      case "intent":
        return this.#awaitOther(entry, work, request);
    }
  }

  /** Another process has begun it: asks until that one has ended it, or is dead. */
  async #awaitOther(entry: Entry, work: Work, request: WorkRequest): Promise<Sealed> {
    const core = this.#core;
    const until = performance.now() + request.tool.limits.deadlineMs;
    for (let pauseMs = 5; performance.now() < until; pauseMs = Math.min(2 * pauseMs, 250)) {
      const { ledger, runners } = requireState(core);
      if (!runners.isAlive(entry.runner)) recover(core, entry.runner);
      const now = ledger.find(request.key);
      if (now === undefined) return this.#begin(work, request); // it did nothing, and its ids are free
      if (now.state !== "intent") return this.#answerFrom(now, work, request);
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
    }
    return refuse(core, request, stillRunning);
  }
}

/** How long a tool that was told to stop is waited for. */
const graceMs = 500;

const withoutStateText =
  "The gate's state cannot be used: this read was not recorded, and a repetition is done anew";

function refuse(
  core: Core,
  { facts, tool }: WorkRequest,
  ending: Ending & { readonly rule?: string },
): Sealed {
  if (ending.rule !== undefined) {
    const decision = {
      facts,
      at: core.now(),
      code: ending.code,
      rule: ending.rule,
      grant: undefined,
    };
    record(core, decision, undefined);
  }
  const { envelope } = sealEnvelope(
    toRefusal(facts, ending),
    facts,
    core.hooks,
    tool.limits.resultBytes,
  );
  return { envelope, links: [] };
}
