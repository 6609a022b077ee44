/** The way of every call: its ids and arguments, the rules, and then either straight to the tool or by the ledger. */

import type { JsonObject } from "../protocol/index.ts";
import type { Context, ToolResult } from "../server/index.ts";
import { askPerson, mayAskPerson } from "./ask-person.ts";
import { countBegin, countEnd, mayGoWithoutState, record, situate, type Core } from "./core.ts";
import { digestValue, keyOf } from "./digest.ts";
import { describeStateError, describeTurn } from "./endings.ts";
import type { CallFacts, Risk } from "./feature.ts";
import { findIdIssues } from "./find-id-issues.ts";
import type { Lane } from "./lanes.ts";
import type { ToolLimits } from "./limits.ts";
import { judge, rules, rulesAtTheDoor } from "./rules/rules.ts";
import { RunningCall } from "./running-call.ts";
import { runTool, waitUntil, type Finish, type Runnable } from "./run-tool.ts";
import { sealEnvelope, toLate, toOutcome, toRefusal, toToolResult, type Ending } from "./seal.ts";
import { describeFault } from "./settle.ts";
import { StateError } from "./state-error.ts";
import type { Accepted, GateTool, ToolChecks } from "./tool.ts";
import type { ToolInUse, WorkRequest } from "./work.ts";
import type { Works } from "./works.ts";

type Later<Value> = Value | Promise<Value>;

export class GatedTool implements ToolInUse {
  readonly risk: Risk;
  readonly steps: readonly string[];
  readonly findOut: string | undefined;
  readonly limits: Required<ToolLimits>;
  readonly #tool: GateTool;
  readonly #door: string;
  readonly #core: Core;
  readonly #works: Works;
  readonly #principalOf: (context: Context) => string;
  readonly #toolLane: Lane;
  #checks: ToolChecks | undefined;

  constructor(
    tool: GateTool,
    door: string,
    limits: Required<ToolLimits>,
    core: Core,
    works: Works,
    principalOf: (context: Context) => string,
  ) {
    this.risk = tool.risk;
    this.steps = tool.steps;
    this.findOut = tool.findOut;
    this.limits = limits;
    this.#tool = tool;
    this.#door = door;
    this.#core = core;
    this.#works = works;
    this.#principalOf = principalOf;
    this.#toolLane = { name: `the tool "${tool.name}"`, limit: limits.running };
  }

  async prepare(): Promise<void> {
    this.#checks = await this.#tool.load();
  }

  /** Answers a call; at once where nothing has to be waited for. */
  handle(args: JsonObject, context: Context): Later<ToolResult> {
    if (this.#checks === undefined) return this.prepare().then(() => this.handle(args, context));
    const { keepsState, support } = this.#core;
    const { task_id: taskId, call_id: callId, ...others } = keepsState ? args : {};
    const own = keepsState ? others : args;
    const { sealText } = support;
    const issues = [
      ...findIdIssues("task_id", taskId, sealText),
      ...findIdIssues("call_id", callId, sealText),
    ];
    const facts: CallFacts = {
      traceId: crypto.randomUUID().replaceAll("-", ""),
      principal: this.#principalOf(context),
      door: this.#door,
      tool: this.#tool.name,
      risk: this.#tool.risk,
      taskId: typeof taskId === "string" ? taskId : undefined,
      callId: typeof callId === "string" ? callId : undefined,
      args: own,
      origin: undefined,
      at: this.#core.now(),
    };
    if (issues.length > 0) return this.#refuseArguments(facts, issues);
    const fail = (thrown: unknown): ToolResult => this.#fail(facts, thrown);
    try {
      const accepted = this.#checks.accept(own);
      if (!(accepted instanceof Promise)) return this.#proceed(facts, accepted, context);
      return accepted.then((late) => {
        try {
          return this.#proceed(facts, late, context);
        } catch (thrown) {
          return fail(thrown);
        }
      }, fail);
    } catch (thrown) {
      return fail(thrown);
    }
  }

  lanesOf({ principal, taskId }: CallFacts): readonly Lane[] {
    const { limits } = this.#core.policyOf(principal);
    const lane = { name: `the principal "${principal}"`, limit: limits.runningPerPrincipal };
    if (taskId === undefined) return [this.#toolLane, lane];
    return [this.#toolLane, lane, { name: `the task "${taskId}"`, limit: limits.runningPerTask }];
  }

  #proceed(unplaced: CallFacts, accepted: Accepted, context: Context): Later<ToolResult> {
    if ("issues" in accepted) return this.#refuseArguments(unplaced, accepted.issues);
    const facts =
      accepted.origin === undefined ? unplaced : { ...unplaced, origin: accepted.origin };
    const { risk, taskId, callId } = facts;
    const isKept = risk === "write" || (taskId !== undefined && callId !== undefined);
    return isKept ? this.#byLedger(facts, accepted, context) : this.#read(facts, accepted, context);
  }

  /** A write, or a read with both ids. */
  #byLedger(facts: CallFacts, runnable: Runnable, context: Context): Later<ToolResult> {
    const core = this.#core;
    const { taskId, callId, principal, tool } = facts;
    const refusal = judge(situate(core, facts, this.limits.callsPerMinute, []), rulesAtTheDoor);
    if (refusal !== undefined) return this.#refuse(facts, refusal);
    if (taskId === undefined || callId === undefined || this.#checks === undefined)
      throw new Error("A call reached the ledger without ids"); // the rule writes-carry-ids has refused it
    const key = keyOf(principal, taskId, tool, callId);
    const digest = digestValue(facts.args);
    const request = {
      key,
      digest,
      facts,
      tool: this,
      checks: this.#checks,
      runnable,
      context,
      approval: undefined,
    };
    if (!mayAskPerson(core, request)) return this.#work(request);
    return askPerson(core, request).then((answer) =>
      "refusal" in answer
        ? this.#refuse(facts, answer.refusal)
        : this.#work({ ...request, approval: answer.approval }),
    ); // what asks the client in the stateless era is thrown, and goes on up
  }

  #work(request: WorkRequest): Promise<ToolResult> {
    const fail = (thrown: unknown): ToolResult => this.#fail(request.facts, thrown);
    return this.#works.do(request).then(toToolResult, fail);
  }

  #read(facts: CallFacts, runnable: Runnable, context: Context): Later<ToolResult> {
    const core = this.#core;
    const trouble = core.trouble();
    if (trouble !== undefined && !mayGoWithoutState(core, "read")) throw trouble;
    const refusal = judge(situate(core, facts, this.limits.callsPerMinute, []), rules);
    if (refusal !== undefined) return this.#refuse(facts, refusal);
    const lanes = this.lanesOf(facts);
    if (core.lanes.hasRoom(lanes)) return this.#runRead(facts, runnable, context, lanes, false);
    const fail = (thrown: unknown): ToolResult => this.#fail(facts, thrown);
    return this.#queueRead(facts, runnable, context, lanes).catch(fail);
  }

  async #queueRead(
    facts: CallFacts,
    runnable: Runnable,
    context: Context,
    lanes: readonly Lane[],
  ): Promise<ToolResult> {
    const { lanes: all, policyOf } = this.#core;
    const full = all.findFull(lanes);
    const turn = await all.wait(lanes, context.signal);
    if (turn !== "entered")
      return this.#refuse(facts, describeTurn(turn, full, policyOf(facts.principal).limits));
    return this.#runRead(facts, runnable, context, lanes, true);
  }

  /** A tool that answers at once never shares its lanes with another, so it does not enter them. */
  #runRead(
    facts: CallFacts,
    runnable: Runnable,
    context: Context,
    lanes: readonly Lane[],
    isEntered: boolean,
  ): Later<ToolResult> {
    const core = this.#core;
    if (this.#checks === undefined) throw new Error("A call came before its checks were loaded");
    countBegin(core, facts, this.limits.callsPerMinute);
    const call = new RunningCall(facts, this, core.support, context, false);
    const finish = runTool(runnable, this.#checks, call, this.limits.attempts);
    if (!(finish instanceof Promise)) {
      if (isEntered) core.lanes.leave(lanes);
      return this.#conclude(call, finish);
    }
    if (!isEntered) core.lanes.enter(lanes);
    const ended = finish
      .then((late) => {
        core.lanes.leave(lanes);
        return this.#conclude(call, late);
      })
      .catch((thrown: unknown) => this.#fail(facts, thrown));
    return this.#untilDeadline(call, ended);
  }

  async #untilDeadline(call: RunningCall, ended: Promise<ToolResult>): Promise<ToolResult> {
    const { deadlineMs } = this.limits;
    const stop = (): void => call.stop(new Error(`The deadline of ${deadlineMs} ms is over`));
    const result = await waitUntil(ended, deadlineMs, stop, this.#core.waits);
    return result ?? toToolResult({ envelope: toLate(call, deadlineMs), links: [] });
  }

  #conclude(call: RunningCall, finish: Finish): ToolResult {
    const core = this.#core;
    const { facts, links, steps } = call;
    const thrown = "thrown" in finish ? finish.thrown : undefined;
    const { envelope, bytes } = sealEnvelope(
      toOutcome(finish, call),
      facts,
      core.hooks,
      this.limits.resultBytes,
    );
    countEnd(core, facts, envelope.duration_ms, bytes);
    if (envelope.code === "internal_error") core.report(describeFault(facts, thrown));
    const at = core.now();
    const decision = {
      facts,
      at: facts.at,
      code: "ok",
      rule: undefined,
      grant: undefined,
    } as const;
    const isRecorded = this.#tryRecord(() =>
      record(core, decision, { facts, at, grant: undefined, envelope, steps, thrown }),
    );
    if (isRecorded || mayGoWithoutState(core, "read")) return toToolResult({ envelope, links });
    return this.#fail(facts, core.trouble());
  }

  #refuseArguments(facts: CallFacts, issues: readonly string[]): ToolResult {
    const message = `Invalid arguments for ${facts.tool}: ${issues.join("; ")}`;
    return this.#refuse(facts, {
      code: "invalid_arguments",
      message,
      rule: "arguments-fit-the-schema",
    });
  }

  #refuse(facts: CallFacts, ending: Ending & { readonly rule?: string }): ToolResult {
    const core = this.#core;
    const decision = {
      facts,
      at: core.now(),
      code: ending.code,
      rule: ending.rule,
      grant: undefined,
    };
    this.#tryRecord(() => record(core, decision, undefined));
    const { envelope } = sealEnvelope(
      toRefusal(facts, ending),
      facts,
      core.hooks,
      this.limits.resultBytes,
    );
    return toToolResult({ envelope, links: [] });
  }

  /** A failing state refuses the call; anything else is a fault, told to the person who runs the server alone. */
  #fail(facts: CallFacts, thrown: unknown): ToolResult {
    const core = this.#core;
    if (thrown instanceof StateError) {
      core.noteTrouble(thrown);
      return toToolResult({ envelope: toRefusal(facts, describeStateError(thrown)), links: [] });
    }
    core.report(describeFault(facts, thrown));
    const ending = { code: "internal_error", message: "The tool has a fault" } as const;
    return toToolResult({ envelope: toRefusal(facts, ending), links: [] });
  }

  #tryRecord(act: () => void): boolean {
    try {
      act();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof StateError)) throw thrown;
      this.#core.noteTrouble(thrown);
      return false;
    }
  }
}
