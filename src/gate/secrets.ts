/** The secrets an operator has set up: resolved for running tools alone, and kept out of everything else. */

import { ToolFailure } from "./failure.ts";
import type { CallFacts } from "./feature.ts";
import { Redactor } from "./redactor.ts";
import { isSecretName, parseSecretReference, toSecretReference } from "./secret-reference.ts";
import {
  invalidSecret,
  readSecretFile,
  readVariable,
  runSecretCommand,
  type Environment,
  type SecretSource,
} from "./secret-source.ts";
import { findSecretFault } from "./secret-value.ts";

export interface SecretDefinition {
  readonly source: SecretSource;
  /** The only tools that may have it; default: any. */
  readonly tools?: readonly string[];
  /** The only origins it may be used at, by what the tool says of its call; default: any. */
  readonly origins?: readonly string[];
}

export interface SecretsOptions {
  readonly environment: Environment;
  /** How long a command may take: stops a call from waiting for a password that nobody types. Default: 10 000. */
  readonly commandTimeoutMs?: number;
  /** How long what a command printed is used again: stops it from being run for every call. Default: 5 minutes. */
  readonly commandKeptMs?: number;
  readonly now?: () => number;
}

/** The most secrets: bounds what is looked for in every result. */
const maxSecrets = 200;

export class Secrets {
  /** Knows every value that was read. */
  readonly redactor = new Redactor();
  readonly #definitions: ReadonlyMap<string, SecretDefinition>;
  readonly #options: Required<SecretsOptions>;
  readonly #kept = new Map<string, { readonly value: string; readonly until: number }>();
  readonly #running = new Map<string, Promise<string>>();

  /**
   * Reads the secrets of the environment and of files, so that they are known before anything is sealed; commands run when
   * they are needed, or by `load`. Throws a `UsageError` that names the secret, and never its value.
   */
  constructor(definitions: Readonly<Record<string, SecretDefinition>>, options: SecretsOptions) {
    this.#definitions = new Map(Object.entries(definitions));
    this.#options = {
      commandTimeoutMs: 10_000,
      commandKeptMs: 300_000,
      now: Date.now,
      ...options,
    };
    if (this.#definitions.size > maxSecrets)
      throw invalidSecret(
        "all",
        `there are ${this.#definitions.size}, expected at most ${maxSecrets}`,
      );
    for (const [name, { source }] of this.#definitions) {
      if (!isSecretName(name))
        throw invalidSecret(name, "its name is not fit, expected 1 to 64 of a-z 0-9 _ . -");
      if (source.from !== "command") this.#readNow(name, source);
    }
  }

  get names(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  /** Runs the commands too, so that a secret that cannot be used stops the start. */
  async load(): Promise<void> {
    for (const [name, { source }] of this.#definitions)
      if (source.from === "command") await this.#runCommand(name, source.command);
  }

  /**
   * Gives the value behind `secret://name` to a running tool.
   *
   * Throws, or rejects with, a `ToolFailure` that says why not: no such secret, not for this tool or origin, or its source does
   * not give it now.
   */
  resolve(reference: string, facts: CallFacts, signal: AbortSignal): string | Promise<string> {
    const name = parseSecretReference(reference);
    if (name === undefined)
      throw refuse("a secret", "what was given is no reference", `"secret://name"`);
    const definition = this.#definitions.get(name);
    const what = `"${toSecretReference(name)}"`;
    if (definition === undefined)
      throw refuse(what, "there is no such secret", "one that the operator has set up");
    const { source, tools, origins } = definition;
    if (tools !== undefined && !tools.includes(facts.tool))
      throw refuse(what, `it is not for the tool "${facts.tool}"`, "one that is");
    if (origins !== undefined && (facts.origin === undefined || !origins.includes(facts.origin)))
      throw refuse(what, "it is not for where this call acts", "one that is");
    try {
      if (source.from !== "command") return this.#readNow(name, source);
    } catch (thrown) {
      throw toUnavailable(what, thrown);
    }
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.until > this.#options.now()) return kept.value;
    return this.#await(what, this.#runCommand(name, source.command), signal);
  }

  #readNow(name: string, source: Exclude<SecretSource, { from: "command" }>): string {
    const value =
      source.from === "env"
        ? readVariable(name, source.variable, this.#options.environment)
        : readSecretFile(name, source.path);
    return this.#accept(name, value);
  }

  /** Two calls wait for one run. */
  #runCommand(name: string, command: readonly [string, ...string[]]): Promise<string> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const { environment, commandTimeoutMs: timeoutMs, commandKeptMs, now } = this.#options;
    const run = runSecretCommand(name, command, { environment, timeoutMs })
      .then((value) => {
        this.#accept(name, value);
        this.#kept.set(name, { value, until: now() + commandKeptMs });
        return value;
      })
      .finally(() => this.#running.delete(name));
    this.#running.set(name, run);
    return run;
  }

  /** From here on the value is taken out of everything. */
  #accept(name: string, value: string): string {
    const fault = findSecretFault(value, this.names);
    if (fault !== undefined) throw invalidSecret(name, fault);
    this.redactor.add(name, value);
    return value;
  }

  async #await(what: string, value: Promise<string>, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(new Error("The call was stopped", { cause: signal.reason }));
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([value, stopped]);
    } catch (thrown) {
      throw signal.aborted ? thrown : toUnavailable(what, thrown);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

function refuse(what: string, why: string, expected: string): ToolFailure {
  const text = `Cannot resolve ${what}: ${why}, expected ${expected}`;
  return new ToolFailure("refused", text, { effect: "none" });
}

/** What is wrong with a source is for the operator: it stays in the cause. */
function toUnavailable(what: string, cause: unknown): ToolFailure {
  const text = `Cannot resolve ${what}: its source does not give it, expected its value`;
  const hint = "Tell the person; the reason is in the trace of this call";
  return new ToolFailure("unavailable", text, { effect: "none", hint, cause });
}
