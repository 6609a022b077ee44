/** Revision 2026-07-28: no handshake, cache hints, multi-round-trip requests. https://modelcontextprotocol.io/specification/2026-07-28 */

import { revision as previous } from "./2025-11-25.ts";
import type { Revision } from "./revision.ts";

export const revision: Revision = {
  ...previous,
  version: "2026-07-28",
  era: "stateless",
  clientRequests: new Set([
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "subscriptions/listen",
    "prompts/list",
    "prompts/get",
    "completion/complete",
  ]),
  serverRequests: new Set(["sampling/createMessage", "roots/list", "elicitation/create"]),
  unreadableId: "omitted",
  resourceNotFound: -32602,
  structuredContent: "any",
  elicitationIds: false,
  cacheHints: true,
};
