/** Tools that change the lists of tools and of prompts, for those who listen. */

import type { Server } from "../../../src/index.ts";

export function addChangingLists(server: Server): void {
  server.addTool({
    name: "test_trigger_tool_change",
    description: "Adds a tool, or takes it away again.",
    run: () => {
      const name = "test_passing_tool";
      if (server.removeTool(name)) return "One tool less";
      server.addTool({ name, description: "Comes and goes.", run: () => "Here for now" });
      return "One tool more";
    },
  });

  server.addTool({
    name: "test_trigger_prompt_change",
    description: "Adds a prompt, or takes it away again.",
    run: () => {
      const name = "test_passing_prompt";
      if (server.removePrompt(name)) return "One prompt less";
      server.addPrompt({ name, description: "Comes and goes.", get: () => "Here for now" });
      return "One prompt more";
    },
  });
}
