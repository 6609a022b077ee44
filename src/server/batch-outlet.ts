/** Collects the replies to a batch (2025-03-26) until all are there, and sends them as one array. */

import {
  encodeMessage,
  replyToFault,
  type Batch,
  type Message,
  type Outgoing,
  type RequestId,
} from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";

/** Makes the outlet for the replies to one batch. */
export function createBatchOutlet(outlet: Outlet, { items }: Batch): BatchOutlet {
  return new BatchOutlet(outlet, items.filter(owesReply).length);
}

function owesReply(item: Batch["items"][number]): boolean {
  return (
    item.kind === "request" || (item.kind === "fault" && replyToFault(item, "null") !== undefined)
  );
}

class BatchOutlet implements Outlet {
  readonly #outlet: Outlet;
  readonly #replies: Message[] = [];
  #expected: number;

  /** @param expected how many replies the batch is owed */
  constructor(outlet: Outlet, expected: number) {
    this.#outlet = outlet;
    this.#expected = expected;
  }

  send(message: Outgoing, about?: RequestId): void {
    if (message.kind !== "result" && message.kind !== "error")
      return this.#outlet.send(message, about);
    encodeMessage(message); // what cannot be encoded throws here, and not when the other replies are there
    this.#replies.push(message);
    this.#finishWhenComplete();
  }

  /** Says that one reply will not come: its call was cancelled. */
  forgo(): void {
    this.#expected--;
    this.#finishWhenComplete();
  }

  #finishWhenComplete(): void {
    if (this.#replies.length === 0 || this.#replies.length < this.#expected) return;
    this.#outlet.send({ kind: "batch", items: this.#replies });
  }
}
