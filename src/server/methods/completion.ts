/** `completion/complete`: values for a prompt's argument or a resource template's variable. */

import {
  createRecord,
  describeValue,
  isObject,
  isStringArray,
  refuseParams,
  type JsonObject,
} from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import type { Complete } from "../completer.ts";
import { requireObject, requireString, type Method } from "./method.ts";

/** The most values one answer may hold, by the specification. */
const maxValues = 100;

export const complete: Method = async (call) => {
  const { context } = call.params;
  const ref = requireObject(call.params, "ref");
  const argument = requireObject(call.params, "argument");
  const value = requireString(argument, "value");
  const name = requireString(argument, "name");
  const completer = findCompleter(call, ref, name);
  const values: unknown =
    completer === undefined ? [] : await completer(value, parseOthers(context));
  if (!isStringArray(values)) {
    throw new Error(
      `The completer of ${JSON.stringify(name)} gave ${describeValue(values)}, expected an array of strings`,
    );
  }
  const shown = values.slice(0, maxValues);
  return {
    completion: { values: shown, total: values.length, hasMore: values.length > shown.length },
  };
};

/** Gives `undefined` for an argument that exists and completes nothing. Throws a `WireError` for one that does not exist. */
function findCompleter(call: Call, ref: JsonObject, name: string): Complete | undefined {
  const { prompts, resources } = call.catalogue;
  if (ref["type"] === "ref/prompt") {
    const prompt = prompts.get(requireString(ref, "name"));
    const argument = prompt?.arguments?.find((one) => one.name === name);
    if (prompt === undefined) throw refuseParams(`Unknown prompt: ${requireString(ref, "name")}`);
    if (argument === undefined)
      throw refuseParams(`The prompt ${prompt.name} has no argument ${JSON.stringify(name)}`);
    return argument.complete;
  }
  if (ref["type"] === "ref/resource") {
    const template = resources.templates.get(requireString(ref, "uri"));
    if (template === undefined)
      throw refuseParams(`Unknown resource template: ${requireString(ref, "uri")}`);
    if (!template.parsed.names.includes(name)) {
      throw refuseParams(
        `The template ${template.uriTemplate} has no variable ${JSON.stringify(name)}`,
      );
    }
    const { complete: completers = {} } = template;
    return Object.hasOwn(completers, name) ? completers[name] : undefined;
  }
  throw refuseParams(
    `The type of "ref" is ${describeValue(ref["type"])}, expected "ref/prompt" or "ref/resource"`,
  );
}

function parseOthers(context: unknown): { readonly [name: string]: string } {
  const given = isObject(context) ? context["arguments"] : undefined;
  const entries = isObject(given) ? Object.entries(given) : [];
  return createRecord(entries.filter(hasText));
}

function hasText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
