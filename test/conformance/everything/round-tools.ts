/** Tools and a prompt whose calls take several rounds, each question under a key of its own. */

import type { ElicitParams, Server } from "../../../src/index.ts";

export function addRoundTools(server: Server): void {
  server.addTool({
    name: "test_input_required_result_elicitation",
    description: "Greets the person by name.",
    run: async (_args, context) => {
      const { content } = await context.elicit(ask("What is your name?", "name"), {
        key: "user_name",
        acceptEarly: true,
      });
      return `Hello, ${String(content?.["name"])}!`;
    },
  });

  server.addTool({
    name: "test_input_required_result_sampling",
    description: "Asks the client's model a question of geography.",
    run: async (_args, context) => {
      const { content } = await context.sample(prompt("What is the capital of France?", 100), {
        key: "capital_question",
      });
      return JSON.stringify(content);
    },
  });

  server.addTool({
    name: "test_input_required_result_list_roots",
    description: "Lists the client's folders.",
    run: async (_args, context) => {
      const { roots } = await context.listRoots({ key: "client_roots" });
      return roots.map(({ uri }) => uri).join("\n");
    },
  });

  for (const name of ["request_state", "tampered_state"]) {
    server.addTool({
      name: `test_input_required_result_${name}`,
      description: "Asks for a confirmation, and keeps its place in a state that the client holds.",
      run: async (_args, context) => {
        const { action } = await context.elicit(confirmation, { key: "confirm" });
        return action === "accept" ? "state-ok" : "not confirmed";
      },
    });
  }

  server.addTool({
    name: "test_input_required_result_multiple_inputs",
    description: "Asks three questions at once.",
    run: async (_args, context) => {
      const [person, greeting, { roots }] = await Promise.all([
        context.elicit(ask("What is your name?", "name"), { key: "user_name" }),
        context.sample(prompt("Generate a greeting", 50), { key: "greeting" }),
        context.listRoots({ key: "client_roots" }),
      ]);
      return { person, greeting, roots };
    },
  });

  server.addTool({
    name: "test_input_required_result_multi_round",
    description: "Asks one question after the other.",
    run: async (_args, context) => {
      const first = ask("Step 1: What is your name?", "name");
      const second = ask("Step 2: What is your favorite color?", "color");
      const { content: person } = await context.elicit(first, { key: "step1" });
      const { content: taste } = await context.elicit(second, { key: "step2" });
      return { ...person, ...taste };
    },
  });

  server.addTool({
    name: "test_input_required_result_capabilities",
    description: "Asks whom the client can ask: its person or its model.",
    run: async (_args, context) => {
      const { elicitation, sampling } = context.clientCapabilities;
      if (elicitation !== undefined) return context.elicit(confirmation, { key: "person" });
      if (sampling !== undefined) return context.sample(prompt("Say yes", 10), { key: "model" });
      return "There is nobody to ask";
    },
  });

  server.addPrompt({
    name: "test_input_required_result_prompt",
    description: "A prompt that asks the person for its context.",
    get: async (_args, context) => {
      const question = ask("What context should the prompt use?", "context");
      const { content } = await context.elicit(question, { key: "user_context" });
      return `Please answer with this in mind: ${String(content?.["context"])}`;
    },
  });
}

function ask(message: string, field: string): ElicitParams {
  const properties = { [field]: { type: "string" } };
  return { message, requestedSchema: { type: "object", properties, required: [field] } };
}

function prompt(text: string, maxTokens: number) {
  return { messages: [{ role: "user", content: { type: "text", text } }], maxTokens } as const;
}

const confirmation: ElicitParams = {
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
};
