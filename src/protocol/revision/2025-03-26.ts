/** Revision 2025-03-26: batches, tool annotations, audio. https://modelcontextprotocol.io/specification/2025-03-26 */

import { revision as previous } from "./2024-11-05.ts";
import type { Revision } from "./revision.ts";

export const revision: Revision = {
  ...previous,
  version: "2025-03-26",
  batches: true,
  contentTypes: new Set(["text", "image", "audio", "resource"]),
  progressMessage: true,
  completionsCapability: true,
  members: {
    ...previous.members,
    tool: ["name", "description", "inputSchema", "annotations"],
  },
};
