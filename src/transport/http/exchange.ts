/** One HTTP request and the way to answer it, as the rest of this folder sees both: Node's or the web's behind it. */

export interface Exchange {
  /** In capitals. */
  readonly method: string;
  /** The path of the URL, without its query. */
  readonly path: string;
  /** The host that the request line itself names (absolute form), as it was sent; absent in the usual form. */
  readonly authority?: string | undefined;
  /** Gives a header by its lower-case name; one that came twice comes joined by `", "`. */
  header(name: string): string | undefined;
  /** Reads the whole body, once. */
  readBody(maxBytes: number, then: (body: Body) => void): void;
  /** Answers with everything at once. Does nothing when the peer has gone, or has been answered. */
  respond(status: number, headers: HeaderList, body?: string): void;
  /** Answers with a stream of events, which stays open until it is ended. */
  openStream(headers: HeaderList): EventSink;
  /** Calls back once, when the peer goes away before its answer is complete; at once where it has gone already. */
  onGone(listener: () => void): void;
}

/** Names and values in turn. */
export type HeaderList = readonly string[];

/** What came of reading a body: its bytes, or why there are none. */
export type Body = Buffer | "too large" | "cut off";

/** Where events leave. */
export interface EventSink {
  write(text: string): void;
  /** How many bytes the peer has not taken. */
  readonly backlog: number;
  /** Ends the stream after what was written. */
  end(): void;
  /** Breaks the connection off, with what was written and not taken. */
  destroy(): void;
}
