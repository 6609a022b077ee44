/** `prompts/list` and `prompts/get`. */

import {
  createRecord,
  describeValue,
  isObject,
  refuseParams,
  type JsonObject,
  type WireError,
} from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import { encodeBlock } from "../encode.ts";
import { toPromptResult, type PromptDefinition } from "../prompt-registry.ts";
import { withInput } from "./input.ts";
import { listPage } from "./list-page.ts";
import { pickMembers, requireString, type Method } from "./method.ts";

export const listPrompts: Method = (call) =>
  listPage(call, "prompts", call.catalogue.prompts.values(), (prompt) =>
    encodePrompt(prompt, call),
  );

export const getPrompt: Method = (call) => {
  const name = requireString(call.params, "name");
  const prompt = call.catalogue.prompts.get(name);
  if (prompt === undefined) throw refuseParams(`Unknown prompt: ${name}`);
  const args = parseArguments(prompt, call.params["arguments"]);
  return withInput(call, async () => {
    const { messages, ...rest } = toPromptResult(prompt, await prompt.get(args, call));
    const encoded = messages.map(({ role, content }) => ({
      role,
      content: encodeBlock(content, call.revision),
    }));
    return { ...rest, messages: encoded };
  });
};

function encodePrompt(prompt: PromptDefinition, { revision }: Call): JsonObject {
  const definition = pickMembers(prompt, revision.members.prompt);
  if (prompt.arguments === undefined) return definition;
  return {
    ...definition,
    arguments: prompt.arguments.map((one) => pickMembers(one, revision.members.promptArgument)),
  };
}

/** Reads the arguments: all strings, none unknown, none missing. Throws a `WireError` (-32602). */
function parseArguments(
  { name, arguments: declared = [] }: PromptDefinition,
  given: unknown,
): { readonly [name: string]: string } {
  const args = createRecord<string>([]);
  if (given !== undefined && !isObject(given))
    throw refuseArguments(name, `"arguments" is ${describeValue(given)}, expected an object`);
  for (const [key, value] of Object.entries(given ?? {})) {
    if (!declared.some((one) => one.name === key)) {
      const expected = declared.map((one) => JSON.stringify(one.name)).join(", ");
      throw refuseArguments(
        name,
        `${JSON.stringify(key)} is unknown, expected ${expected === "" ? "no arguments" : expected}`,
      );
    }
    if (typeof value !== "string")
      throw refuseArguments(
        name,
        `${JSON.stringify(key)} is ${describeValue(value)}, expected a string`,
      );
    args[key] = value;
  }
  const missing = declared.find((one) => one.required === true && args[one.name] === undefined);
  if (missing !== undefined)
    throw refuseArguments(name, `${JSON.stringify(missing.name)} is missing`);
  return args;
}

function refuseArguments(prompt: string, what: string): WireError {
  return refuseParams(`Invalid arguments for the prompt ${prompt}: ${what}`);
}
