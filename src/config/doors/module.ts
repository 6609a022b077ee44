/** The door `module`: gated tools that stand in a JavaScript or TypeScript file of the operator's own. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { GateTool } from "../../gate/index.ts";
import { isObject, UsageError } from "../../protocol/index.ts";
import { defineDoor, DoorError, type OpenDoor } from "../door.ts";
import { genkanFolder, lendGenkan } from "../lend-genkan.ts";

export const moduleDoor = defineDoor({
  kind: "module",
  shape: {
    type: "object",
    description:
      "Tools of your own: a JavaScript or TypeScript module that exports what defineTool() gives.",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description:
          "The file, from the folder of the configuration. It exports tools, lists of tools, or a function openDoor(options, { folder }) that gives { tools, close }.",
      },
      options: {
        type: "object",
        additionalProperties: true,
        description: "What openDoor() gets; the module checks it.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  open: async ({ path, options = {} }, { folder }) => {
    const file = resolve(folder, path);
    if (!existsSync(file))
      throw new DoorError(
        "path",
        `there is no file "${file}", expected a module that exports tools`,
      );
    const exported = await load(file);
    const { openDoor } = exported;
    const opened = typeof openDoor === "function" ? await run(openDoor, options, folder) : exported;
    const tools = Object.values(opened).flatMap((value): readonly GateTool[] =>
      (Array.isArray(value) ? value : [value]).filter(isGateTool),
    );
    if (tools.length === 0)
      throw new DoorError(
        "path",
        "it gives no tool, expected what defineTool() of genkan/gate gives",
      );
    return toOpenDoor([...new Set(tools)], opened["close"]);
  },
});

async function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  lendGenkan();
  try {
    const exported: unknown = await import(pathToFileURL(file).href);
    return isObject(exported) ? exported : {};
  } catch (cause) {
    throw new DoorError(
      "path",
      `it cannot be loaded: ${describe(cause)}, expected a module that exports tools`,
      { cause },
    );
  }
}

async function run(
  openDoor: Function,
  options: unknown,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const opened: unknown = await Reflect.apply(openDoor, undefined, [options, { folder }]);
    if (Array.isArray(opened)) return { tools: opened };
    return isObject(opened) ? opened : {};
  } catch (cause) {
    throw new DoorError("options", `its openDoor() failed: ${describe(cause)}`, { cause });
  }
}

function toOpenDoor(tools: readonly GateTool[], close: unknown): OpenDoor {
  if (typeof close !== "function") return { tools };
  return {
    tools,
    close: async () => {
      try {
        await Reflect.apply(close, undefined, []);
      } catch (cause) {
        const text = `Cannot close a door: its close() failed: ${describe(cause)}`;
        throw new UsageError("cannot-close-door", text, { cause });
      }
    },
  };
}

/** Is true for what `defineTool` gives, also that of another copy of Genkan. */
function isGateTool(value: unknown): value is GateTool {
  return (
    isObject(value) &&
    typeof value["name"] === "string" &&
    (value["risk"] === "read" || value["risk"] === "write") &&
    isObject(value["inputSchema"]) &&
    isObject(value["outputSchema"]) &&
    isObject(value["limits"]) &&
    typeof value["load"] === "function"
  );
}

/** Gives the message, and the place in the operator's own code that it comes from. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const places = thrown.stack?.matchAll(/(?:file:\/\/|(?<=[\s(]))\/[^\s()]+?:\d+(?::\d+)?/g) ?? [];
  const own = Array.from(places, ([place]) => place).find(
    (place) => !place.startsWith(genkanFolder),
  );
  return own === undefined ? thrown.message : `${thrown.message} (${own})`;
}
