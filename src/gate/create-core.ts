/** Opens everything that the calls of one gate stand on. */

import { UsageError } from "../protocol/index.ts";
import { resolveApproval } from "./approval.ts";
import { ArtifactShelf } from "./artifact.ts";
import type { Core, Policy, State } from "./core.ts";
import type { Hooks } from "./feature.ts";
import { grantMigrations, Grants } from "./grants.ts";
import { Lanes } from "./lanes.ts";
import { Ledger, ledgerMigrations } from "./ledger.ts";
import { resolveLimits, type GateLimits } from "./limits.ts";
import type { GateOptions } from "./options.ts";
import { Rates } from "./rates.ts";
import { Runners } from "./runners.ts";
import type { CallSupport } from "./running-call.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { StateError } from "./state-error.ts";
import type { Store } from "./store.ts";
import { UsageBook, usageMigrations } from "./usage.ts";

/** How long what was counted may wait to be stored. */
const flushMs = 250;

/** How often the same trouble is reported. */
const reportMs = 60_000;

/** @param saveAll stores the outcomes that could not be stored so far */
export function createCore(options: GateOptions, saveAll: () => void): Core {
  const { now = Date.now, features = [], report = printError, stateDir } = options;
  const readsWithoutState = stateDir === undefined || options.readsWithoutState === true;
  const limits = resolveLimits(options.limits);
  const approval = resolveApproval(options.approval);
  const state = stateDir === undefined ? noState : openState(stateDir, options, limits, now);
  const store = state instanceof StateError ? undefined : state.store;
  const hooks = features.map((feature) => feature.open(store));
  const usage = new UsageBook(store, now);
  const shelf = stateDir === undefined ? undefined : new ArtifactShelf(stateDir, limits, now);
  const tell = (text: string): void => report(sealText(hooks, text));
  const trouble = new Trouble(tell, now);
  if (state instanceof StateError) trouble.note(state);
  const probe = store?.prepare("UPDATE migration SET version = version WHERE feature = 'ledger'");
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    try {
      usage.flush();
      saveAll();
      if (trouble.current === undefined || probe === undefined) return;
      probe.run(); // nothing may have been written just now
      trouble.end();
    } catch (thrown) {
      if (!(thrown instanceof StateError)) throw thrown;
      if (thrown.kind === "closed") return; // a tool that outlived its gate
      trouble.note(thrown);
      flushSoon();
    }
  };
  const flushSoon = (): void => {
    timer ??= setTimeout(flush, flushMs).unref();
  };
  return {
    now,
    policyOf: createPolicies(options, limits),
    approval,
    lanes: new Lanes(limits),
    rates: new Rates(),
    usage,
    waits: new Set(),
    hooks,
    isRecorded: hooks.some((hook) => hook.onDecision !== undefined || hook.onOutcome !== undefined),
    support: createSupport(shelf, limits, hooks),
    readArtifact: (id) => {
      const contents = shelf?.read(id);
      return contents === undefined ? undefined : [contents];
    },
    state,
    readsWithoutState,
    keepsState: stateDir !== undefined,
    report: tell,
    flushSoon,
    noteTrouble: (error) => {
      trouble.note(error);
      flushSoon();
    },
    trouble: () => trouble.current,
  };
}

const noState = new StateError("none", "Cannot use the state: this gate was opened without one");

function openState(
  stateDir: string,
  options: GateOptions,
  limits: GateLimits,
  now: () => number,
): State | StateError {
  const { features = [], lockWaitMs, maxStateBytes, readsWithoutState = false } = options;
  const own = [ledgerMigrations, grantMigrations, usageMigrations];
  const theirs = features.flatMap(({ migrations }) =>
    migrations === undefined ? [] : [migrations],
  );
  let store: Store | undefined;
  try {
    store = openSqliteStore({
      folder: stateDir,
      migrations: [...own, ...theirs],
      ...(lockWaitMs !== undefined && { lockWaitMs }),
      ...(maxStateBytes !== undefined && { maxStateBytes }),
    });
    const ledger = new Ledger(store, limits, now);
    return { store, ledger, grants: new Grants(store, now), runners: new Runners(stateDir) };
  } catch (thrown) {
    store?.[Symbol.dispose]();
    if (readsWithoutState && thrown instanceof StateError) return thrown;
    throw thrown;
  }
}

/** Merges what holds for one principal with what holds for all, once for each. */
function createPolicies(
  { conduct = {}, principals = {} }: GateOptions,
  limits: GateLimits,
): (principal: string) => Policy {
  const everybody = { limits, conduct };
  const policies = new Map<string, Policy>(
    Object.entries(principals).map(([name, own]) => [
      name,
      {
        limits: resolveLimits({ ...limits, ...own.limits }),
        conduct: { ...conduct, ...own.conduct },
      },
    ]),
  );
  return (principal) => policies.get(principal) ?? everybody;
}

function createSupport(
  shelf: ArtifactShelf | undefined,
  limits: GateLimits,
  hooks: readonly Hooks[],
): CallSupport {
  const resolver = hooks.find((hook) => hook.resolveSecret !== undefined);
  return {
    maxSteps: limits.steps,
    keepArtifact: (bytes, options) => {
      if (shelf === undefined) throw noState;
      const { name, mimeType, title } = options;
      let sealed = bytes;
      for (const hook of hooks) sealed = hook.sealBytes?.(sealed, mimeType) ?? sealed;
      return shelf.keep(sealed, {
        mimeType,
        name: sealText(hooks, name),
        ...(title !== undefined && { title: sealText(hooks, title) }),
      });
    },
    sealText: (text) => sealText(hooks, text),
    resolveSecret: (reference, facts, signal) => {
      if (resolver?.resolveSecret !== undefined)
        return resolver.resolveSecret(reference, facts, signal);
      const what = `Cannot resolve "${reference}": this gate has no secrets, expected a feature that resolves them`;
      throw new UsageError("no-secrets", what, { hint: "openGate({ features: [ … ] })" });
    },
  };
}

function sealText(hooks: readonly Hooks[], text: string): string {
  let sealed = text;
  for (const hook of hooks) sealed = hook.sealText?.(sealed) ?? sealed;
  return sealed;
}

/** What fails now, told once a minute. */
class Trouble {
  current: StateError | undefined;
  readonly #report: (text: string) => void;
  readonly #now: () => number;
  #told: { readonly text: string; readonly at: number } | undefined;

  constructor(report: (text: string) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  note(error: StateError): void {
    this.current = error;
    if (error.kind === "none") return; // as it was meant
    const text = `${error.message}; ${error.hint}`;
    if (this.#told?.text === text && this.#now() - this.#told.at < reportMs) return;
    this.#told = { text, at: this.#now() };
    this.#report(text);
  }

  end(): void {
    if (this.current === undefined) return;
    this.current = undefined;
    this.#told = undefined;
    this.#report("The gate's state can be used again");
  }
}

function printError(text: string): void {
  console.error(text); // eslint-disable-line no-console -- whoever opened the gate named no other place
}
