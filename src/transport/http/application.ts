/** What serving over HTTP asks of the side that answers: a receiver for each session, and what a tool's schema says. */

import type { Arrival, JsonObject, RequestId } from "../../protocol/index.ts";
import type { Outlet } from "../transport.ts";

export interface HttpApplication {
  /** Opens the receiving side of one session, or of one stateless request. */
  open(outlet: Outlet, about: OpenedFor): Receiver;
  /** Gives the input schema of a tool, if there is such a tool. */
  findInputSchema(tool: string): JsonObject | undefined;
  /** Tells the person who runs the server, and never a peer, one line of text. */
  report(text: string): void;
}

export interface OpenedFor {
  /** Who calls, where the endpoint asks callers to prove it. */
  readonly principal: Principal | undefined;
}

export interface Principal {
  /** The same for every request of one caller, and of no other. */
  readonly id: string;
  /** What the caller may do; `"all"` where its kind of proof has no scopes. */
  readonly scopes: ReadonlySet<string> | "all";
  /** When the proof ends, in milliseconds since 1970; absent where it does not. */
  readonly expiresAt?: number;
}

export interface Receiver {
  /** Handles one arrival; its replies leave by `outlet`, or else by the one it was opened with. */
  receive(arrival: Arrival, outlet?: ReplyOutlet): void;
  /** Cancels every running call without a reply. */
  cancelAll(reason: string): void;
  /** Resolves when the code of every call has ended, that of cancelled ones too. */
  whenIdle(): Promise<void>;
  /** Lets running calls finish, within a limit, and cancels the rest. */
  close(): Promise<void>;
}

/** An outlet that is told of a reply that will not come. */
export interface ReplyOutlet extends Outlet {
  forgo?(about?: RequestId): void;
}
