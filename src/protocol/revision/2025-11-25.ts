/** Revision 2025-11-25: icons, URL elicitation, bad arguments as tool errors. https://modelcontextprotocol.io/specification/2025-11-25 */

import { revision as previous } from "./2025-06-18.ts";
import type { Revision } from "./revision.ts";

export const revision: Revision = {
  ...previous,
  version: "2025-11-25",
  invalidArguments: "tool error",
  elicitation: "form and url",
  elicitationIds: true,
  members: {
    implementation: ["name", "title", "version", "description", "websiteUrl", "icons"],
    tool: [...previous.members.tool, "icons"],
    resource: [...previous.members.resource, "icons"],
    resourceTemplate: [...previous.members.resourceTemplate, "icons"],
    prompt: [...previous.members.prompt, "icons"],
    promptArgument: previous.members.promptArgument,
  },
};
