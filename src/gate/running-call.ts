/** One call while its tool runs: its signal, its steps, its artifacts, and what it says beside its result. */

import type { ResourceLink } from "../protocol/index.ts";
import { ToolError, type Context } from "../server/index.ts";
import type { Artifact, ArtifactOptions } from "./artifact.ts";
import type { Code } from "./codes.ts";
import type { StepPlace } from "./envelope.ts";
import { ToolFailure } from "./failure.ts";
import type { CallFacts, Step } from "./feature.ts";
import type { ToolLimits } from "./limits.ts";
import type { GateCall } from "./tool.ts";

/** What a running call needs from its gate. */
export interface CallSupport {
  readonly maxSteps: number;
  readonly keepArtifact: (bytes: Uint8Array, options: ArtifactOptions) => Artifact & ResourceLink;
  readonly resolveSecret: (
    reference: string,
    facts: CallFacts,
    signal: AbortSignal,
  ) => string | Promise<string>;
  readonly sealText: (text: string) => string;
}

/** What a call knows of its tool. */
interface ToolOfCall {
  readonly steps: readonly string[];
  readonly limits: Required<ToolLimits>;
}

/** How many warnings one call may give: stops a loop from filling the result. */
const maxWarnings = 20;

export class RunningCall implements GateCall {
  attempt = 1;
  readonly facts: CallFacts;
  readonly limits: Required<ToolLimits>;
  readonly steps: Step[] = [];
  readonly links: ResourceLink[] = [];
  readonly warnings: string[] = [];
  /** The step that failed, or that was under way when the call was stopped. */
  stoppedAt: StepPlace | undefined;
  readonly startedAt = performance.now();
  readonly #support: CallSupport;
  readonly #context: Context;
  readonly #isDetached: boolean;
  readonly #stepNames: readonly string[];
  #stepCount = 0;
  #abort: AbortController | undefined;
  #abortReason: Error | undefined;

  /** @param isDetached whether the work goes on when its caller goes away */
  constructor(
    facts: CallFacts,
    { steps, limits }: ToolOfCall,
    support: CallSupport,
    context: Context,
    isDetached: boolean,
  ) {
    this.facts = facts;
    this.limits = limits;
    this.#stepNames = steps;
    this.#support = support;
    this.#context = context;
    this.#isDetached = isDetached;
  }

  get taskId(): string | undefined {
    return this.facts.taskId;
  }

  get callId(): string | undefined {
    return this.facts.callId;
  }

  get principal(): string {
    return this.facts.principal;
  }

  get traceId(): string {
    return this.facts.traceId;
  }

  /** Made only when asked for. */
  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    this.#abort = new AbortController();
    if (this.#abortReason !== undefined) this.#abort.abort(this.#abortReason);
    if (!this.#isDetached) this.#followCaller(this.#context.signal);
    return this.#abort.signal;
  }

  /** Whether the tool was told to stop. */
  get isStopped(): boolean {
    return this.#abortReason !== undefined;
  }

  stop(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.abort(reason);
  }

  async step<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value> {
    const index = ++this.#stepCount;
    const at = performance.now();
    this.stoppedAt = {
      name,
      index,
      of: this.#stepNames.length === 0 ? null : this.#stepNames.length,
    };
    try {
      const value = await work();
      this.#note(name, index, at, "ok");
      this.stoppedAt = undefined;
      return value;
    } catch (thrown) {
      this.#note(name, index, at, codeOf(thrown));
      throw thrown;
    }
  }

  artifact(bytes: Uint8Array, options: ArtifactOptions): Artifact {
    const link = this.#support.keepArtifact(bytes, options);
    this.links.push(link);
    const { uri, name, mimeType, size } = link;
    return { uri, name, mimeType, size };
  }

  async secret(reference: string): Promise<string> {
    return this.#support.resolveSecret(reference, this.facts, this.signal);
  }

  warn(text: string): void {
    if (this.warnings.length < maxWarnings) this.warnings.push(text);
  }

  progress(progress: number, total?: number, message?: string): void {
    const sealed = message === undefined ? undefined : this.#support.sealText(message);
    this.#context.progress(progress, total, sealed);
  }

  #followCaller(caller: AbortSignal): void {
    const follow = (): void => this.stop(new Error("The caller went away"));
    if (caller.aborted) follow();
    else caller.addEventListener("abort", follow, { once: true });
  }

  #note(name: string, index: number, at: number, code: Code): void {
    if (this.steps.length >= this.#support.maxSteps) return;
    const startMs = at - this.startedAt;
    const durationMs = performance.now() - at;
    this.steps.push({ name, index, attempt: this.attempt, startMs, durationMs, code });
  }
}

function codeOf(thrown: unknown): Code {
  if (thrown instanceof ToolFailure) return thrown.code;
  return thrown instanceof ToolError ? "tool_failed" : "internal_error";
}
