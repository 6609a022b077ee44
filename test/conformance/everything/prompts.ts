/** Prompts with and without arguments, with a resource and with a picture. */

import type { Server } from "../../../src/index.ts";
import { image, text } from "./samples.ts";

export function addPrompts(server: Server): void {
  server.addPrompt({
    name: "test_simple_prompt",
    description: "A prompt without arguments.",
    get: () => "This is a simple prompt for testing.",
  });

  server.addPrompt({
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments.",
    arguments: [
      {
        name: "arg1",
        description: "First test argument",
        required: true,
        complete: (value) => ["paris", "park", "party"].filter((word) => word.startsWith(value)),
      },
      { name: "arg2", description: "Second test argument", required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  });

  server.addPrompt({
    name: "test_prompt_with_embedded_resource",
    description: "A prompt that brings a resource.",
    arguments: [
      { name: "resourceUri", description: "URI of the resource to embed", required: true },
    ],
    get: ({ resourceUri = "" }) => [
      {
        role: "user",
        content: {
          type: "resource",
          resource: {
            uri: resourceUri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        },
      },
      { role: "user", content: text("Please process the embedded resource above.") },
    ],
  });

  server.addPrompt({
    name: "test_prompt_with_image",
    description: "A prompt that brings a picture.",
    get: () => [
      { role: "user", content: image },
      { role: "user", content: text("Please analyze the image above.") },
    ],
  });
}
