/** Opens a gate, puts tools behind it, and closes it. */

import { UsageError, type Tool } from "../protocol/index.ts";
import type { Context, GuardedTool, Server } from "../server/index.ts";
import { artifactTemplate } from "./artifact.ts";
import { requireState, type Core } from "./core.ts";
import { createCore } from "./create-core.ts";
import { GatedTool } from "./gated-tool.ts";
import type { Grants } from "./grants.ts";
import { resolveToolLimits } from "./limits.ts";
import type { GateOptions } from "./options.ts";
import { publishTool } from "./published.ts";
import { recoverAll } from "./recover.ts";
import { StateError } from "./state-error.ts";
import type { Store } from "./store.ts";
import { openTelemetry, type Telemetry } from "./telemetry.ts";
import type { GateTool } from "./tool.ts";
import { Works } from "./works.ts";

/**
 * Opens a gate on a state folder; what an earlier process left unfinished there is now `outcome_unknown`.
 *
 * Throws a `StateError` for a state that cannot be used, unless `readsWithoutState`; a `UsageError` for a limit that cannot be.
 */
export function openGate(options: GateOptions): Gate {
  return new Gate(options);
}

/** Tools, and the name of the door they stand behind. */
export interface ToolsOfDoor {
  readonly door: string;
  readonly tools: readonly GateTool[];
}

interface Gated {
  readonly tool: Tool;
  readonly gated: GatedTool;
}

export class Gate implements AsyncDisposable {
  readonly #core: Core;
  readonly #works: Works;
  readonly #options: GateOptions;
  readonly #telemetry: Telemetry | undefined;
  readonly #pruning: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#telemetry = options.telemetry === true ? openTelemetry() : undefined;
    this.#core = createCore(options, () => this.#works.saveAll());
    this.#works = new Works(this.#core);
    this.#tidy();
    this.#pruning = setInterval(() => this.#tidy(), tidyMs).unref();
  }

  /** The grants: given and revoked by people, outside of the model's channel. Throws a `StateError` when there is no state. */
  get grants(): Grants {
    return requireState(this.#core).grants;
  }

  /** The state, for the features that keep tables of their own in it. Throws as `grants`. */
  get store(): Store {
    return requireState(this.#core).store;
  }

  /**
   * Puts tools behind the gate and adds them to a server.
   *
   * Throws a `UsageError` for a name that hosts refuse, for a limit above the gate's, and for a write where no state is kept;
   * then none of them is added.
   *
   * @param door names the server, or the part of it, in decisions and outcomes; default: the server's name
   */
  addTo(
    server: Server,
    tools: readonly GateTool[],
    door: string = server.catalogue.info.name,
  ): this {
    return this.replaceIn(server, [], [{ door, tools }]);
  }

  /**
   * Puts tools in the place of others: whoever lists tools sees the old ones or the new ones, and calls that run go on.
   *
   * Throws as `addTo`, and for a name that is taken; then nothing has changed.
   *
   * @param gone the names of the tools that go
   */
  replaceIn(server: Server, gone: readonly string[], come: readonly ToolsOfDoor[]): this {
    const added = come.flatMap(({ door, tools }) => tools.map((tool) => this.#gate(tool, door)));
    const kept = server.catalogue.tools.values().map(({ tool }) => tool.name);
    const names = kept.filter((name) => !gone.includes(name));
    for (const { tool } of added) {
      if (names.includes(tool.name)) throw nameTaken(tool.name);
      names.push(tool.name);
    }
    for (const name of gone) server.removeTool(name);
    this.#addGated(server, added);
    this.#addArtifactsTo(server);
    return this;
  }

  /** Loads what was asked for and is not there yet. Rejects with a `UsageError` for telemetry whose package is not installed. */
  async ready(): Promise<void> {
    await this.#telemetry?.load();
  }

  /** Waits for running work, bounded by `drainMs`, stores what is not stored, and closes the state. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#pruning);
    const { state, usage, hooks, waits, policyOf } = this.#core;
    await this.#works.finish(policyOf("").limits.drainMs);
    for (const giveUp of waits) giveUp();
    this.#unlessStateFails(() => {
      usage.flush();
      this.#works.saveAll();
      for (const hook of hooks) hook.close?.();
    });
    if (state instanceof StateError) return;
    this.#unlessStateFails(() => this.#works.abandonAll());
    state.runners[Symbol.dispose]();
    state.store[Symbol.dispose]();
  }

  /** Recovers what dead processes left, and drops what is kept no longer. */
  #tidy(): void {
    const { state, usage } = this.#core;
    if (state instanceof StateError) return;
    this.#unlessStateFails(() => {
      recoverAll(this.#core);
      state.ledger.prune();
      usage.prune();
    });
  }

  #unlessStateFails(act: () => void): void {
    try {
      act();
    } catch (thrown) {
      if (!(thrown instanceof StateError)) throw thrown;
      this.#core.noteTrouble(thrown);
    }
  }

  #gate(tool: GateTool, door: string): Gated {
    this.#checkName(tool.name);
    this.#checkRisk(tool);
    const { limits } = this.#core.policyOf("");
    const own = resolveToolLimits(tool.name, tool.limits, limits);
    const gated = new GatedTool(tool, door, own, this.#core, this.#works, (context) =>
      this.#readPrincipal(context),
    );
    const published = publishTool(tool, this.#core.keepsState);
    for (const hook of this.#core.hooks) hook.checkTool?.(tool.name, published);
    return { tool: published, gated };
  }

  #addGated(server: Server, added: readonly Gated[]): void {
    for (const { tool, gated } of added) {
      const handle: GuardedTool["run"] = (args, context) => gated.handle(args, context);
      const telemetry = this.#telemetry;
      if (telemetry === undefined) {
        server.addGuardedTool({ tool, run: handle, prepare: () => gated.prepare() });
        continue;
      }
      const { risk } = gated;
      server.addGuardedTool({
        tool,
        run: (args, context) =>
          telemetry.observe({ tool: tool.name, risk }, context, () => handle(args, context)),
        prepare: async () => void (await Promise.all([gated.prepare(), telemetry.load()])),
      });
    }
  }

  #checkName(name: string): void {
    const { toolNames = hostNames } = this.#options;
    if (toolNames.test(name)) return;
    const what = `Cannot add the tool ${JSON.stringify(name)}: hosts refuse its name, expected ${toolNames.source}`;
    throw new UsageError("invalid-name", what);
  }

  /** A write is recorded before it is done, so it needs a state. */
  #checkRisk({ name, risk }: GateTool): void {
    if (risk === "read" || this.#core.keepsState) return;
    const what = `Cannot add the tool "${name}": it writes and this gate keeps no state, expected a folder for it`;
    throw new UsageError("no-state", what, { hint: `openGate({ stateDir: ".genkan" })` });
  }

  #readPrincipal(context: Context): string {
    const { principal = "local" } = this.#options;
    return typeof principal === "string" ? (context.principal ?? principal) : principal(context);
  }

  #addArtifactsTo(server: Server): void {
    if (!this.#core.keepsState) return;
    if (server.catalogue.resources.templates.get(artifactTemplate) !== undefined) return;
    server.addResourceTemplate({
      uriTemplate: artifactTemplate,
      name: "artifact",
      description: "What a tool gave beside its result: a picture, a page, a file",
      read: (_uri, { id = "" }) => this.#core.readArtifact(id),
    });
  }
}

function nameTaken(name: string): UsageError {
  return new UsageError("name-taken", `Cannot add the tool "${name}": there is one of that name`, {
    hint: "remove the first, or choose another name",
  });
}

/** How often what is old is dropped. */
const tidyMs = 3_600_000;

/** The names of tools that hosts take. */
export const hostNames = /^[a-zA-Z0-9_-]{1,64}$/;
