/** Revision 2024-11-05, the first. https://modelcontextprotocol.io/specification/2024-11-05 */

import type { Revision } from "./revision.ts";

export const revision: Revision = {
  version: "2024-11-05",
  era: "handshake",
  clientRequests: new Set([
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
  ]),
  serverRequests: new Set(["ping", "sampling/createMessage", "roots/list"]),
  batches: false,
  unreadableId: "null",
  invalidArguments: "protocol error",
  resourceNotFound: -32002,
  structuredContent: "none",
  contentTypes: new Set(["text", "image", "resource"]),
  progressMessage: false,
  completionsCapability: false,
  elicitation: "none",
  elicitationIds: false,
  cacheHints: false,
  members: {
    implementation: ["name", "version"],
    tool: ["name", "description", "inputSchema"],
    resource: ["uri", "name", "description", "mimeType", "size", "annotations"],
    resourceTemplate: ["uriTemplate", "name", "description", "mimeType", "annotations"],
    prompt: ["name", "description", "arguments"],
    promptArgument: ["name", "description", "required"],
  },
};
