/** Waits on this machine's loopback address for the one request by which a browser comes back. */

import { maxTimerMs } from "./duration.ts";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** What a browser that comes back is told. */
export type Welcome =
  /** Not the visit that is waited for. */
  { readonly kind: "ignored" } | { readonly kind: "refused" } | { readonly kind: "taken" };

export interface LoopbackListener extends AsyncDisposable {
  /** Where the browser is sent back to. */
  readonly redirectUri: string;
  /** Shows each visit's parameters until one is taken or refused, or the time is over (`undefined`). */
  waitFor(
    judge: (parameters: URLSearchParams) => Welcome,
    limitMs: number,
  ): Promise<void | "timeout">;
}

const path = "/callback";

/** How many visits are answered: it stops a page that tries one state after another. */
const maxVisits = 1_000;

/**
 * Listens on 127.0.0.1 alone.
 *
 * @param port a wanted one; where it is taken, or 0, any free one
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
export async function openLoopbackListener(port: number): Promise<LoopbackListener> {
  const server = createServer({ maxHeaderSize: 16 * 1024 });
  const listen = (wanted: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, "127.0.0.1", () => {
        server.off("error", reject);
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>();
  const bound = await listen(port).catch((error: unknown) => {
    if (port === 0) throw error;
    return listen(0);
  });
  return {
    redirectUri: `http://127.0.0.1:${bound}${path}`,
    waitFor: (judge, limitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve("timeout"), Math.min(limitMs, maxTimerMs));
        void closed.then(() => {
          clearTimeout(timer);
          resolve("timeout");
        });
        let visits = 0;
        server.on("request", (request, response) => {
          const welcome = ++visits > maxVisits ? ignored : visit(request, bound, judge);
          answer(response, welcome);
          if (welcome.kind === "ignored") return;
          clearTimeout(timer);
          response.on("close", () => resolve());
        });
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        noteClosed();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ignored: Welcome = { kind: "ignored" };

/** A page of another site that guesses the port has another `Host`, or does not know the state. */
function visit(
  { method, headers, url = "" }: IncomingMessage,
  port: number,
  judge: (parameters: URLSearchParams) => Welcome,
): Welcome {
  if (method !== "GET" || headers.host !== `127.0.0.1:${port}`) return ignored;
  const parsed = URL.parse(url, `http://127.0.0.1:${port}`);
  return parsed?.pathname === path ? judge(parsed.searchParams) : ignored;
}

function answer(response: ServerResponse, { kind }: Welcome): void {
  const [status, text] = pages[kind];
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(text);
}

/** Nothing of the request is shown: the page is read in a browser. */
const pages = {
  ignored: [404, "There is nothing here."],
  refused: [400, "This did not work; the terminal says why. You may close this window."],
  taken: [200, "Done. You may close this window and go back to the terminal."],
} as const;
