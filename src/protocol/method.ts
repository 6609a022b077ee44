/** The methods of MCP that Genkan speaks, by who sends them. */

/** Requests a client may send; which of them a revision has is in its file under `revision/`. */
export type ClientRequestMethod =
  | "initialize"
  | "server/discover"
  | "ping"
  | "tools/list"
  | "tools/call"
  | "resources/list"
  | "resources/templates/list"
  | "resources/read"
  | "resources/subscribe"
  | "resources/unsubscribe"
  | "subscriptions/listen"
  | "prompts/list"
  | "prompts/get"
  | "completion/complete"
  | "logging/setLevel";

/** Requests a server may send: messages of their own up to 2025-11-25, inside an `InputRequiredResult` since 2026-07-28. */
export type ServerRequestMethod =
  | "ping"
  | "sampling/createMessage"
  | "elicitation/create"
  | "roots/list";
