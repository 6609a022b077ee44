/** What every gated call stands on: the limits, the turns, the counts, the state, and the features around it. */

import type { ResourceContents } from "../protocol/index.ts";
import type { Approval } from "./approval.ts";
import type { Conduct } from "./conduct.ts";
import type { CallFacts, Decision, Hooks, Outcome, Risk } from "./feature.ts";
import type { Grant } from "./grant.ts";
import type { Grants } from "./grants.ts";
import type { Lanes } from "./lanes.ts";
import type { Ledger } from "./ledger.ts";
import type { GateLimits } from "./limits.ts";
import type { Rates } from "./rates.ts";
import type { Situation } from "./rules/rule.ts";
import type { CallSupport } from "./running-call.ts";
import type { Waits } from "./run-tool.ts";
import type { Runners } from "./runners.ts";
import { StateError } from "./state-error.ts";
import type { Store } from "./store.ts";
import type { Usage, UsageBook } from "./usage.ts";

/** The state, while it can be used. */
export interface State {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly grants: Grants;
  readonly runners: Runners;
}

export interface Core {
  readonly now: () => number;
  /** The limits and the conduct of a principal. */
  readonly policyOf: (principal: string) => Policy;
  /** Who may ask a person for a grant through its client; `undefined`: nobody. */
  readonly approval: Approval | undefined;
  readonly lanes: Lanes;
  readonly rates: Rates;
  readonly usage: UsageBook;
  readonly waits: Waits;
  readonly hooks: readonly Hooks[];
  /** Whether a feature records decisions or outcomes. */
  readonly isRecorded: boolean;
  readonly support: CallSupport;
  readonly readArtifact: (id: string) => readonly ResourceContents[] | undefined;
  /** Why the state cannot be used, when it cannot. */
  readonly state: State | StateError;
  readonly readsWithoutState: boolean;
  /** Whether the gate was given a folder for a state. */
  readonly keepsState: boolean;
  /** Tells the person who runs the server. */
  readonly report: (text: string) => void;
  /** Sees to it that what was counted is stored soon. */
  readonly flushSoon: () => void;
  /** Remembers that the state failed, until it works again. */
  readonly noteTrouble: (error: StateError) => void;
  /** What failed last, and has not worked since. */
  readonly trouble: () => StateError | undefined;
}

export interface Policy {
  readonly limits: GateLimits;
  readonly conduct: Conduct;
}

/** Gives the state. Throws the `StateError` that says why there is none. */
export function requireState({ state }: Core): State {
  if (state instanceof StateError) throw state;
  return state;
}

/** Whether a call may go on when the state fails. */
export function mayGoWithoutState({ readsWithoutState }: Core, risk: Risk): boolean {
  return readsWithoutState && risk === "read";
}

/** Gathers what the rules may look at. */
export function situate(
  core: Core,
  facts: CallFacts,
  perMinute: number,
  grants: readonly Grant[],
): Situation {
  const now = core.now();
  const { limits, conduct } = core.policyOf(facts.principal);
  return {
    facts,
    now,
    conduct,
    limits,
    grants,
    task: facts.taskId === undefined ? undefined : readUsage(core, facts, taskScope(facts.taskId)),
    principal: readUsage(core, facts, principalScope(facts.principal, now)),
    rate: core.rates.read(rateName(facts), perMinute, now),
  };
}

/** Counts that a call begins. */
export function countBegin(core: Core, facts: CallFacts, perMinute: number): void {
  core.rates.take(rateName(facts), perMinute, core.now());
  count(core, facts, 1, 0, 0);
}

/** Counts what a call took. */
export function countEnd(core: Core, facts: CallFacts, ms: number, bytes: number): void {
  count(core, facts, 0, ms, bytes);
}

function count(core: Core, facts: CallFacts, calls: number, ms: number, bytes: number): void {
  core.usage.add(principalScope(facts.principal, core.now()), calls, ms, bytes);
  if (facts.taskId !== undefined) core.usage.add(taskScope(facts.taskId), calls, ms, bytes);
  core.flushSoon();
}

function readUsage(core: Core, { risk }: CallFacts, scope: string): Usage {
  try {
    return core.usage.read(scope);
  } catch (thrown) {
    if (!(thrown instanceof StateError)) throw thrown;
    core.noteTrouble(thrown);
    if (mayGoWithoutState(core, risk)) return nothing;
    throw thrown;
  }
}

const nothing: Usage = { calls: 0, ms: 0, bytes: 0 };
const hourMs = 3_600_000;

const taskScope = (taskId: string): string => `task ${taskId}`;
const principalScope = (principal: string, now: number): string =>
  `hour ${Math.floor(now / hourMs)} ${principal}`;
const rateName = ({ tool, principal }: CallFacts): string => `${tool} ${principal}`;

/** Lets every feature record what is told, all in one transaction. Throws what they throw. */
export function record(
  core: Core,
  decision: Decision | undefined,
  outcome: Outcome | undefined,
): void {
  if (!core.isRecorded) return;
  requireState(core).store.transact(() => {
    for (const hook of core.hooks) {
      if (decision !== undefined) hook.onDecision?.(decision);
      if (outcome !== undefined) hook.onOutcome?.(outcome);
    }
  });
}
