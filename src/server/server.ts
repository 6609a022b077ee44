/** A server: what it has, and the sessions that use it. */

import {
  describeThrown,
  describeValue,
  UsageError,
  type CacheHints,
  type Change,
  type Implementation,
} from "../protocol/index.ts";
import { within, type Outlet } from "../transport/index.ts";
import type { Catalogue } from "./catalogue.ts";
import { resolveLimits, type Limits } from "./limits.ts";
import { PromptRegistry, type PromptDefinition } from "./prompt-registry.ts";
import type { RequestStateSeal } from "./request-state.ts";
import {
  ResourceRegistry,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
} from "./resource-registry.ts";
import { Session } from "./session.ts";
import {
  registerGuardedTool,
  registerTool,
  ToolRegistry,
  type GuardedTool,
  type Schema,
  type ToolDefinition,
} from "./tool-registry.ts";

export interface ServerOptions extends Implementation {
  /** For the model: how to use this server as a whole. */
  readonly instructions?: string;
  /** Declares `logging`, so that `context.log` reaches clients; default: false, as 2026-07-28 deprecates it. */
  readonly logging?: boolean;
  /** How long clients may keep lists and reads; default: not at all. */
  readonly cache?: CacheHints;
  readonly limits?: Partial<Limits>;
  /** Seals what a client carries between the rounds of a call; share it between processes that answer for one server. */
  readonly stateSecret?: string;
  /** Takes what the person who runs the server should know; default: `console.error`. */
  readonly report?: (text: string) => void;
}

/**
 * Makes a server; add tools, resources and prompts to it, then serve it.
 *
 * Throws a `UsageError` for a name or a version that is no text, and for a limit that cannot be.
 */
export function createServer(options: ServerOptions): Server {
  for (const name of ["name", "version"] as const) {
    if (typeof options[name] === "string") continue;
    const what = `Cannot create a server: its "${name}" is ${describeValue(options[name])}, expected a string`;
    throw new UsageError("invalid-server", what, {
      hint: `createServer({ name: "shop", version: "1.0.0" })`,
    });
  }
  return new Server(options);
}

export class Server implements AsyncDisposable {
  readonly catalogue: Catalogue;
  readonly #sessions = new Set<Session>();
  #seal: Promise<RequestStateSeal> | undefined;
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #changed = new Set<"tools" | "prompts" | "resources">();

  constructor({
    instructions,
    logging = false,
    cache = noCaching,
    limits,
    stateSecret,
    report = printError,
    ...info
  }: ServerOptions) {
    const allLimits = resolveLimits(limits);
    this.catalogue = {
      info,
      instructions,
      hasLogging: logging,
      cache,
      limits: allLimits,
      tools: new ToolRegistry(() => this.#noteChange("tools")),
      resources: new ResourceRegistry(() => this.#noteChange("resources")),
      prompts: new PromptRegistry(() => this.#noteChange("prompts")),
      getSeal: () => (this.#seal ??= createSeal(stateSecret, allLimits)),
      report: (text) => reportSafely(report, text),
    };
  }

  /** Adds a tool. Throws a `UsageError` for a name that is taken and for a schema that cannot be published. */
  addTool<const Input extends Schema, const Output extends Schema | undefined = undefined>(
    definition: ToolDefinition<Input, Output>,
  ): this {
    this.catalogue.tools.add(definition.name, registerTool(definition));
    return this;
  }

  /** Adds a tool that checks its arguments and its value itself. Throws a `UsageError` for a name that is taken. */
  addGuardedTool(guarded: GuardedTool): this {
    this.catalogue.tools.add(guarded.tool.name, registerGuardedTool(guarded));
    return this;
  }

  removeTool(name: string): boolean {
    return this.catalogue.tools.remove(name);
  }

  addResource(definition: ResourceDefinition): this {
    this.catalogue.resources.add(definition);
    return this;
  }

  removeResource(uri: string): boolean {
    return this.catalogue.resources.fixed.remove(uri);
  }

  /** Adds a family of resources. Throws a `UsageError` for a URI template that Genkan cannot match. */
  addResourceTemplate(definition: ResourceTemplateDefinition): this {
    this.catalogue.resources.addTemplate(definition);
    return this;
  }

  removeResourceTemplate(uriTemplate: string): boolean {
    return this.catalogue.resources.templates.remove(uriTemplate);
  }

  addPrompt(definition: PromptDefinition): this {
    this.catalogue.prompts.add(definition.name, definition);
    return this;
  }

  removePrompt(name: string): boolean {
    return this.catalogue.prompts.remove(name);
  }

  /** Tells the clients that subscribed to a resource that it has changed. */
  announceUpdate(uri: string): void {
    this.#announce({ kind: "resource", uri });
  }

  /**
   * Opens a session for one peer; whoever opens it gives it what arrives, and closes it by `closeSession`.
   *
   * @param principal who the peer has proven to be, where its transport asks for that
   */
  openSession(outlet: Outlet, principal?: string): Session {
    const session = new Session(this.catalogue, outlet, principal);
    this.#sessions.add(session);
    return session;
  }

  /** Lets the session's running calls finish, bounded, and forgets it. */
  async closeSession(session: Session): Promise<void> {
    await session.finish(this.catalogue.limits.drainMs);
    this.#sessions.delete(session);
  }

  /**
   * Registers what to do when the server is disposed of: close a database, remove a temporary folder. One that throws, or
   * takes longer than `drainMs`, is reported and holds up no other.
   */
  onClose(closer: () => void | Promise<void>): this {
    this.#closers.push(closer);
    return this;
  }

  /** Ends every session and runs the closers, the last registered first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#sessions].map((session) => this.closeSession(session)));
    for (const closer of this.#closers.splice(0).toReversed()) await this.#runCloser(closer);
  }

  async #runCloser(closer: () => void | Promise<void>): Promise<void> {
    const { report, limits } = this.catalogue;
    try {
      const ended = await within(Promise.try(closer).then(isEnded), limits.drainMs);
      if (ended === undefined) report(`onClose: a closer did not end within ${limits.drainMs} ms`);
    } catch (thrown) {
      report(`onClose: a closer failed: ${describeThrown(thrown)}`);
    }
  }

  /** Tells of a changed list once for all changes of one turn. */
  #noteChange(kind: "tools" | "prompts" | "resources"): void {
    if (this.#sessions.size === 0) return;
    if (this.#changed.size === 0) queueMicrotask(() => this.#announceChanged());
    this.#changed.add(kind);
  }

  #announceChanged(): void {
    for (const kind of this.#changed) this.#announce({ kind });
    this.#changed.clear();
  }

  #announce(change: Change): void {
    for (const session of this.#sessions) session.announce(change);
  }
}

const isEnded = (): true => true;

async function createSeal(
  secret: string | undefined,
  { requestStateTtlMs }: Limits,
): Promise<RequestStateSeal> {
  const { createRequestStateSeal } = await import("./request-state.ts");
  return createRequestStateSeal({ secret, ttlMs: requestStateTtlMs, now: Date.now });
}

function printError(text: string): void {
  console.error(text); // eslint-disable-line no-console -- whoever made the server named no other place
}

const noCaching: CacheHints = { ttlMs: 0, cacheScope: "private" };

/** A reporter that fails must not take a reply with it. */
function reportSafely(report: (text: string) => void, text: string): void {
  try {
    report(text);
  } catch {
    // There is nobody left to tell.
  }
}
