/** What goes wrong between a client and a server over HTTP before there is a message to read. */

/** Every trouble of HTTP; the ones with `isTolerated` were worked around, and are reported all the same. */
export const httpFaultCatalogue = {
  "http-unreachable": { summary: "No HTTP response came at all", isTolerated: false },
  "http-unauthorized": { summary: "The response is 401 or 403", isTolerated: false },
  "http-status": { summary: "The response's status carries no reply", isTolerated: false },
  "http-content-type": {
    summary: "The response is neither JSON nor an event stream",
    isTolerated: false,
  },
  "http-redirect": { summary: "The response redirects where none may follow", isTolerated: false },
  "http-cut-off": { summary: "The response broke off inside its body", isTolerated: false },
  "http-no-reply": { summary: "The response ended without the reply", isTolerated: false },
  "http-session": { summary: "The session is over, and no new one opened", isTolerated: false },
  "http-session-renewed": {
    summary: "The server forgot the session, so a new one was opened",
    isTolerated: true,
  },
  "http-oddity": { summary: "A deviation that could be worked with", isTolerated: true },
} as const;

export type HttpFaultName = keyof typeof httpFaultCatalogue;

/** What a fault of HTTP knows beyond its sentence. */
export interface HttpTrouble {
  readonly name: HttpFaultName;
  /** What is, and what was expected. */
  readonly detail: string;
  readonly status?: number;
  /** Something to type. */
  readonly hint?: string;
  readonly cause?: unknown;
}

export function isHttpFaultName(name: string): name is HttpFaultName {
  return name in httpFaultCatalogue;
}
