/** The calling side: probe, calls, correlation, shutting down. */

export type { CallOptions, Progress } from "./call-options.ts";
export { Client } from "./client.ts";
export type { CloseReport } from "./close-report.ts";
export { ClientError, ServerError } from "./client-error.ts";
export type { ClientErrorCode } from "./client-error.ts";
export { connect } from "./connect.ts";
export type { HandlerContext, Handlers } from "./handlers.ts";
export type { Hint } from "./hint.ts";
export type { Report } from "./observations.ts";
export type {
  CommandTarget,
  ConnectOptions,
  ConnectTarget,
  TransportTarget,
  UrlTarget,
} from "./options.ts";
export type { Auth, ClientCredentialsAuth, InteractiveAuth, TokenAuth } from "./oauth/auth.ts";
export { createFileStore } from "./oauth/file-store.ts";
export { createMemoryStore } from "./oauth/token-store.ts";
export type { StoredGrant, TokenStore } from "./oauth/token-store.ts";
export type { ListOptions } from "./pages.ts";
export type { Subscription, SubscriptionEnd } from "./subscription.ts";
