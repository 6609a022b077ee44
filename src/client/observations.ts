/** What was seen on a connection besides good messages: counted without end, kept up to a limit. */

import { toPrintable, type Fault, type RequestId } from "../protocol/index.ts";

/** How many of each kind are kept: the first ones, for they are the cause and the rest the consequence. */
export const maxKept = 20;

/** How many characters are kept of one text: whatever a server sends, a report is short. */
export const maxKeptLength = 1_000;

/** What a connection has seen so far. */
export interface Report {
  /** The first faults, tolerated ones too: without the value that was read, and with long texts cut. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** The first lines that could not be read and belong to no call. */
  readonly strayLines: readonly string[];
  readonly strayLineCount: number;
  /** Replies to ids that were never sent, and errors without an id. */
  readonly unknownReplies: number;
  /** Replies to calls that had their reply already. */
  readonly duplicateReplies: number;
  /** Replies to calls that had been given up. */
  readonly lateReplies: number;
  /** Requests of the server that were not answered, because it did not read the answers or may not ask. */
  readonly unansweredRequests: number;
  /** What is odd but could be worked with, in words. */
  readonly remarks: readonly string[];
  /** The first that handlers threw while they answered the server, and why an answer of theirs could not be written. */
  readonly handlerErrors: readonly unknown[];
  readonly handlerErrorCount: number;
  readonly stderrTail: string;
  readonly stderrBytes: number;
}

/** A point in time, to tell what came after it. */
export interface Mark {
  readonly strays: number;
  readonly unmatched: number;
  readonly late: number;
}

export class Observations {
  readonly #faults: Fault[] = [];
  #faultCount = 0;
  readonly #strays = new Tally();
  readonly #unmatched = new Tally();
  readonly #remarks = new Set<string>();
  readonly #handlerErrors: unknown[] = [];
  #handlerErrorCount = 0;
  #unknownReplies = 0;
  #duplicateReplies = 0;
  #lateReplies = 0;
  #unansweredRequests = 0;
  #mark: Mark = { strays: 0, unmatched: 0, late: 0 };

  addFault(fault: Fault): void {
    this.#faultCount++;
    if (this.#faults.length < maxKept) this.#faults.push(shorten(fault));
  }

  /** Takes a line that belongs to no call and is no message. */
  addStray(fault: Fault): void {
    const { excerpt, detail } = fault;
    this.#strays.add(
      excerpt === undefined
        ? detail
        : `"${toPrintable(excerpt, 120)}" (${toPrintable(detail, 160)})`,
    );
    this.#mark = { ...this.#mark, strays: this.#strays.count };
  }

  addUnknownReply(id: RequestId | null | undefined, what: string): void {
    this.#unknownReplies++;
    const whose = id === undefined ? "without an id" : `with the id ${showId(id)}`;
    this.#unmatched.add(`${what} ${whose}`);
    this.#mark = { ...this.#mark, unmatched: this.#unmatched.count };
  }

  /** Takes a reply that is faulty and does not say whose it is. */
  addFaultyReply({ detail, excerpt = "" }: Fault): void {
    this.#unknownReplies++;
    this.#unmatched.add(`"${toPrintable(excerpt, 120)}" (${toPrintable(detail, 160)})`);
    this.#mark = { ...this.#mark, unmatched: this.#unmatched.count };
  }

  addDuplicateReply(): void {
    this.#duplicateReplies++;
  }

  addLateReply(): void {
    this.#lateReplies++;
    this.#mark = { ...this.#mark, late: this.#lateReplies };
  }

  addUnansweredRequest(): void {
    this.#unansweredRequests++;
  }

  addHandlerError(thrown: unknown): void {
    this.#handlerErrorCount++;
    if (this.#handlerErrors.length < maxKept) this.#handlerErrors.push(thrown);
  }

  remark(text: string): void {
    if (this.#remarks.size < maxKept) this.#remarks.add(copyStart(text));
  }

  /** Costs nothing while nothing odd comes: every call takes one. */
  mark(): Mark {
    return this.#mark;
  }

  /** Says what came since then and could be matched to no call; `""` when there was nothing. */
  describeSince({ strays, unmatched, late }: Mark): string {
    const unread = this.#strays.count - strays;
    const strange = this.#unmatched.count - unmatched;
    const overdue = this.#lateReplies - late;
    const lines = unread === 1 ? "1 line" : `${unread} lines`;
    const replies = strange === 1 ? "1 reply" : `${strange} replies`;
    return (
      (unread === 0
        ? ""
        : `; ${lines} could not be read, the first: ${this.#strays.after(strays)}`) +
      (strange === 0
        ? ""
        : `; ${replies} belonged to no call, the first: ${this.#unmatched.after(unmatched)}`) +
      (overdue === 0
        ? ""
        : `; ${overdue === 1 ? "1 reply" : `${overdue} replies`} to earlier calls came meanwhile, too late`)
    );
  }

  get strayLines(): readonly string[] {
    return this.#strays.first;
  }

  get strayLineCount(): number {
    return this.#strays.count;
  }

  get unknownReplies(): number {
    return this.#unknownReplies;
  }

  report(stderr: Pick<Report, "stderrTail" | "stderrBytes">): Report {
    return {
      faults: [...this.#faults],
      faultCount: this.#faultCount,
      strayLines: [...this.#strays.first],
      strayLineCount: this.#strays.count,
      unknownReplies: this.#unknownReplies,
      duplicateReplies: this.#duplicateReplies,
      lateReplies: this.#lateReplies,
      unansweredRequests: this.#unansweredRequests,
      remarks: [...this.#remarks],
      handlerErrors: [...this.#handlerErrors],
      handlerErrorCount: this.#handlerErrorCount,
      ...stderr,
    };
  }
}

/** What is kept of a fault: enough to know it again, and never the line itself, which may be as long as a line may be. */
function shorten({ kind, name, at, detail, from, id, excerpt, trouble }: Fault): Fault {
  return {
    kind,
    name,
    at,
    detail: copyStart(detail),
    from,
    id: typeof id === "string" ? copyStart(id) : id,
    ...(excerpt === undefined ? {} : { excerpt: copyStart(excerpt) }),
    ...(trouble === undefined ? {} : { trouble }),
  };
}

/** Copies, for a slice of a text keeps all of that text in memory. */
function copyStart(text: string): string {
  return Buffer.from(text.slice(0, maxKeptLength), "utf16le").toString("utf16le");
}

function showId(id: RequestId | null): string {
  const start = typeof id === "string" ? id.slice(0, maxKeptLength) : id;
  return toPrintable(JSON.stringify(start), 60);
}

/** Counts texts, and keeps the first ones and the last. */
class Tally {
  count = 0;
  readonly first: string[] = [];
  #last = "";

  add(text: string): void {
    this.count++;
    this.#last = text;
    if (this.first.length < maxKept) this.first.push(copyStart(text));
  }

  /** The first text after a count, or where that one was not kept the last of all. */
  after(count: number): string {
    return this.first[count] ?? this.#last;
  }
}
