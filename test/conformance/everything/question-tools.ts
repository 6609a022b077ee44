/** Tools that ask the client, in whichever way its era has. */

import type { ElicitParams, ElicitResult, Server } from "../../../src/index.ts";

export function addQuestionTools(server: Server): void {
  server.addTool({
    name: "test_sampling",
    description: "Asks the client's model.",
    input: {
      type: "object",
      properties: { prompt: { type: "string", maxLength: 1000 } },
      required: ["prompt"],
    },
    run: async ({ prompt }, context) => {
      const { content } = await context.sample({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${JSON.stringify(content)}`;
    },
  });

  server.addTool({
    name: "test_elicitation",
    description: "Asks the person for a name and an address.",
    input: {
      type: "object",
      properties: { message: { type: "string", maxLength: 1000 } },
      required: ["message"],
    },
    run: async ({ message }, context) => {
      const answer = await context.elicit({
        message,
        requestedSchema: {
          type: "object",
          properties: {
            username: { type: "string", description: "User's response" },
            email: { type: "string", description: "User's email address" },
          },
          required: ["username", "email"],
        },
      });
      return describe("User response", answer);
    },
  });

  server.addTool({
    name: "test_streaming_elicitation",
    description: "Tells how far it has come, then asks the person.",
    run: async (_args, context) => {
      context.progress(1, 2);
      return describe("User response", await context.elicit(confirmation));
    },
  });

  server.addTool({
    name: "test_missing_capability",
    description: "Needs a client with a model.",
    run: async (_args, context) => {
      await context.sample({
        messages: [{ role: "user", content: { type: "text", text: "Are you there?" } }],
        maxTokens: 10,
      });
      return "There is a model";
    },
  });

  server.addTool({
    name: "test_elicitation_sep1034_defaults",
    description: "Asks by a form with a default in every field.",
    run: async (_args, context) =>
      describe("Elicitation completed", await context.elicit(formWithDefaults)),
  });

  server.addTool({
    name: "test_elicitation_sep1330_enums",
    description: "Asks by a form with every kind of choice.",
    run: async (_args, context) =>
      describe("Elicitation completed", await context.elicit(formWithChoices)),
  });
}

function describe(what: string, { action, content }: ElicitResult): string {
  return `${what}: action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const confirmation: ElicitParams = {
  message: "Shall it go on?",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
};

const formWithDefaults: ElicitParams = {
  message: "Please look through the form",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
  },
};

const formWithChoices: ElicitParams = {
  message: "Please choose",
  requestedSchema: {
    type: "object",
    properties: {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: {
        type: "string",
        oneOf: [
          { const: "value1", title: "First Option" },
          { const: "value2", title: "Second Option" },
          { const: "value3", title: "Third Option" },
        ],
      },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: {
        type: "array",
        items: { type: "string", enum: ["option1", "option2", "option3"] },
      },
      titledMulti: {
        type: "array",
        items: {
          anyOf: [
            { const: "value1", title: "First Choice" },
            { const: "value2", title: "Second Choice" },
            { const: "value3", title: "Third Choice" },
          ],
        },
      },
    },
  },
};
