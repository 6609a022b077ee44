/** Remembers which tools want arguments repeated in headers, as their listed schemas say. */

import { isObject, type HttpTrouble, type JsonObject } from "../../protocol/index.ts";
import {
  listHeaderParameters,
  readParameter,
  type HeaderParameter,
} from "../http/header-parameters.ts";
import { encodeHeaderValue } from "../http/header-value.ts";

/** How many tools are remembered, the newest: it bounds the memory. */
const maxTools = 10_000;

export class ToolHeaders {
  readonly #tools = new Map<string, readonly HeaderParameter[]>();

  /**
   * Reads a result of `tools/list`; gives it without the tools whose marks break the rules, and says which those are.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
   */
  takeList(result: JsonObject): {
    readonly result: JsonObject;
    readonly left: readonly HttpTrouble[];
  } {
    const { tools } = result;
    if (!Array.isArray(tools)) return { result, left: [] };
    const left: HttpTrouble[] = [];
    const kept = tools.filter((tool: unknown) => {
      if (!isObject(tool) || !isObject(tool["inputSchema"])) return true;
      const { name, inputSchema } = tool;
      if (typeof name !== "string") return true;
      const read = listHeaderParameters(inputSchema);
      if ("parameters" in read) this.#remember(name, read.parameters);
      else
        left.push({
          name: "http-oddity",
          detail: `the tool "${name}" was left out: ${read.issue}`,
        });
      return "parameters" in read;
    });
    return left.length === 0 ? { result, left } : { result: { ...result, tools: kept }, left };
  }

  /** Gives the headers that a call of a tool needs, as far as its schema is known. */
  headersFor(params: JsonObject): Record<string, string> | undefined {
    const parameters =
      typeof params["name"] === "string" ? this.#tools.get(params["name"]) : undefined;
    if (parameters === undefined || parameters.length === 0) return undefined;
    const headers: Record<string, string> = {};
    for (const { header, path } of parameters) {
      const value = readParameter(params["arguments"], path);
      if (typeof value === "string") headers[header] = encodeHeaderValue(value);
      if (typeof value === "number" || typeof value === "boolean") headers[header] = String(value);
    }
    return headers;
  }

  #remember(name: string, parameters: readonly HeaderParameter[]): void {
    this.#tools.delete(name);
    this.#tools.set(name, parameters);
    if (this.#tools.size <= maxTools) return;
    for (const oldest of this.#tools.keys()) {
      this.#tools.delete(oldest);
      break;
    }
  }
}
