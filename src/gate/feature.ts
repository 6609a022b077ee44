/**
 * What other parts of the gate may do around a call: record its decision and its outcome, change what is sealed, and resolve
 * secrets. The audit log, the traces, the redactor and the secrets are such features.
 */

import type { Code } from "./codes.ts";
import type { Envelope } from "./envelope.ts";
import type { Grant } from "./grant.ts";
import type { Migrations, Store } from "./store.ts";

/** "read" changes nothing; "write" has a side effect, so it needs ids and a grant. */
export type Risk = "read" | "write";

/** Who calls what: the same object from a call's decision to its outcome. */
export interface CallFacts {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly principal: string;
  /** The name of the server, or of the part of it, that the tool stands behind. */
  readonly door: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly taskId: string | undefined;
  readonly callId: string | undefined;
  /** The arguments as they came, without the two ids; secrets in them are references. */
  readonly args: unknown;
  /** Where the call acts, when the tool says so: `https://shop.example`. */
  readonly origin: string | undefined;
  /** When the call came, in ms since 1970. */
  readonly at: number;
}

/** The gate lets a call run, or not. A replayed or joined call has none of its own. */
export interface Decision {
  readonly facts: CallFacts;
  /** When it was taken, in ms since 1970. */
  readonly at: number;
  /** `ok`, or why the call is refused. */
  readonly code: Code;
  /** The id of the rule that refused. */
  readonly rule: string | undefined;
  /** The grant whose use is taken. */
  readonly grant: string | undefined;
}

/** How a call that was allowed has ended. */
export interface Outcome {
  readonly facts: CallFacts;
  readonly at: number;
  readonly grant: string | undefined;
  /** As it is kept and sent, after every `seal`. */
  readonly envelope: Envelope;
  readonly steps: readonly Step[];
  /** What the tool threw, for the person who runs the server; never for a peer. */
  readonly thrown: unknown;
}

export interface Step {
  readonly name: string;
  /** From 1, over all attempts. */
  readonly index: number;
  /** From 1. */
  readonly attempt: number;
  /** In ms since the call came. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly code: Code;
}

export interface Hooks {
  /**
   * Records a decision. For a call in the ledger it runs inside the transaction that stores the intent, and for any other call
   * in one with its outcome: it writes by the store, and neither waits nor keeps the transaction open.
   *
   * A `StateError` it throws refuses a write, and lets a read go on if the gate is configured so.
   */
  onDecision?(decision: Decision): void;
  /** Records an outcome, inside the transaction that stores it. */
  onOutcome?(outcome: Outcome): void;
  /** Records a grant that the person at a trusted client gave, inside the transaction that claims the call it is for. */
  onGrant?(grant: Grant): void;
  /** Gives the envelope as it may be kept and sent; the next feature's `seal` gets what this one gives. */
  seal?(envelope: Envelope, facts: CallFacts): Envelope;
  /** Gives a text that leaves the gate beside an envelope as it may be seen: a report, a progress message, an artifact's name. */
  sealText?(text: string): string;
  /** Gives the bytes of an artifact as they may be kept. */
  sealBytes?(bytes: Uint8Array, mimeType: string): Uint8Array;
  /** Throws a `UsageError` for a tool that may not be published as it is. */
  checkTool?(name: string, published: unknown): void;
  /** Resolves a `secret://name` for a running tool; the first feature that has this member does it. */
  resolveSecret?(
    reference: string,
    facts: CallFacts,
    signal: AbortSignal,
  ): string | Promise<string>;
  /** Runs when the gate is disposed of, before the state is closed. */
  close?(): void;
}

export interface Feature {
  readonly name: string;
  /** Its tables, made before `open`. */
  readonly migrations?: Migrations;
  /** @param store `undefined` when the gate goes on without a state, for reads alone */
  open(store: Store | undefined): Hooks;
}
