/** Finds the session a request belongs to, by its headers. */

import { findRevision, versionsOf } from "../../protocol/index.ts";
import type { Visit } from "./doorway.ts";
import type { HttpSession } from "./http-session.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { sessionMissing, sessionUnknown, unsupportedVersion } from "./refusals.ts";
import type { Sessions } from "./sessions.ts";

/** The session, or why there is none. */
export type Found = { readonly session: HttpSession } | { readonly refusal: Refusal };

/** Finds the session of a POST. */
export function findSession(
  sessions: Sessions,
  { exchange, principal }: Pick<Visit, "exchange" | "principal">,
): Found {
  const id = exchange.header("mcp-session-id");
  const version = exchange.header("mcp-protocol-version");
  if (version !== undefined && findRevision(version) === undefined) {
    const data = { supported: versionsOf(), requested: version };
    return { refusal: { ...unsupportedVersion, data } };
  }
  if (id === undefined) return { refusal: sessionMissing };
  if (!/^[\x21-\x7e]+$/.test(id)) {
    const message = "Mcp-Session-Id is not well-formed, expected one id of visible ASCII";
    return { refusal: refuse(400, message) };
  }
  const session = sessions.find(id, principal);
  return session === undefined ? { refusal: sessionUnknown } : { session };
}

/** Finds the session that a GET or DELETE is about; the stateless era has neither. */
export function findOwnSession(
  sessions: Sessions,
  visit: Pick<Visit, "exchange" | "principal">,
): Found {
  const { exchange } = visit;
  const isStateless = findRevision(exchange.header("mcp-protocol-version"))?.era === "stateless";
  if (!isStateless && exchange.header("mcp-session-id") !== undefined)
    return findSession(sessions, visit);
  const message = `${exchange.method} has no meaning without a session, expected POST`;
  return { refusal: refuse(405, message, ["allow", "POST, OPTIONS"]) };
}
