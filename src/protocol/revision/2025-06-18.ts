/** Revision 2025-06-18: structured content, titles, elicitation; no batches. https://modelcontextprotocol.io/specification/2025-06-18 */

import { revision as previous } from "./2025-03-26.ts";
import type { Revision } from "./revision.ts";

export const revision: Revision = {
  ...previous,
  version: "2025-06-18",
  serverRequests: new Set(["ping", "sampling/createMessage", "roots/list", "elicitation/create"]),
  batches: false,
  structuredContent: "object",
  contentTypes: new Set(["text", "image", "audio", "resource", "resource_link"]),
  elicitation: "form",
  members: {
    implementation: ["name", "title", "version"],
    tool: ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"],
    resource: ["uri", "name", "title", "description", "mimeType", "size", "annotations", "_meta"],
    resourceTemplate: [
      "uriTemplate",
      "name",
      "title",
      "description",
      "mimeType",
      "annotations",
      "_meta",
    ],
    prompt: ["name", "title", "description", "arguments", "_meta"],
    promptArgument: ["name", "title", "description", "required"],
  },
};
