/** Tools for each kind of content, and for what a call may send before its result. */

import { setTimeout as sleep } from "node:timers/promises";
import { ToolError, ToolResult, type Server } from "../../../src/index.ts";
import { audio, image, text } from "./samples.ts";

export function addContentTools(server: Server): void {
  server.addTool({
    name: "test_simple_text",
    description: "Gives a text.",
    run: () => "This is a simple text response for testing.",
  });

  server.addTool({
    name: "test_image_content",
    description: "Gives a picture.",
    run: () => new ToolResult([image]),
  });

  server.addTool({
    name: "test_audio_content",
    description: "Gives a sound.",
    run: () => new ToolResult([audio]),
  });

  server.addTool({
    name: "test_embedded_resource",
    description: "Gives a resource with its content.",
    run: () =>
      new ToolResult([
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ]),
  });

  server.addTool({
    name: "test_multiple_content_types",
    description: "Gives a text, a picture and a resource.",
    run: () =>
      new ToolResult([
        text("Multiple content types test:"),
        image,
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ]),
  });

  server.addTool({
    name: "test_error_handling",
    description: "Fails.",
    run: () => {
      throw new ToolError("This tool intentionally returns an error for testing");
    },
  });

  server.addTool({
    name: "test_tool_with_logging",
    description: "Writes three log messages, with a pause between them.",
    run: async (_args, context) => {
      context.log("info", "Tool execution started");
      await sleep(50);
      context.log("info", "Tool processing data");
      await sleep(50);
      context.log("info", "Tool execution completed");
      return "Three messages were logged";
    },
  });

  server.addTool({
    name: "test_logging_tool",
    description: "Writes one log message.",
    run: (_args, context) => {
      context.log("info", "This is for a caller who asked for it");
      return "One message was logged";
    },
  });

  server.addTool({
    name: "test_tool_with_progress",
    description: "Tells three times how far it has come.",
    run: async (_args, context) => {
      context.progress(0, 100);
      await sleep(50);
      context.progress(50, 100);
      await sleep(50);
      context.progress(100, 100);
      return "Progress was told three times";
    },
  });
}
