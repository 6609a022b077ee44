/** What the two sides have agreed on over HTTP: the version, and the session of the handshake eras. */

import type { JsonObject, RequestMessage, ResultMessage } from "../../protocol/index.ts";

/** How many subscriptions are asked for again in a new session: it bounds the memory. */
const maxRepeated = 1_000;

export class HttpSession {
  /** The version that `initialize` agreed on. */
  version: string | undefined;
  /** The server's name for the session, where it has them. */
  id: string | undefined;
  /** The version of the last stateless request: that of notifications too. */
  statelessVersion: string | undefined;
  #opening: JsonObject | undefined;
  readonly #repeated = new Map<string, { readonly method: string; readonly params: JsonObject }>();

  /** The parameters that opened the session. */
  get opening(): JsonObject | undefined {
    return this.#opening;
  }

  /** What a new session has to be asked for, to be like the old one. */
  get repeated(): Iterable<{ readonly method: string; readonly params: JsonObject }> {
    return this.#repeated.values();
  }

  /** Takes the result of `initialize`; gives what is wrong with the session's id, if anything. */
  open(
    request: RequestMessage,
    { result }: ResultMessage,
    id: string | undefined,
  ): string | undefined {
    if (id !== undefined && !/^[\x21-\x7e]{1,1024}$/.test(id))
      return "the session id is not of visible ASCII characters alone, at most 1024 of them, expected that";
    const { protocolVersion } = result;
    this.version =
      typeof protocolVersion === "string" && isHeaderSafe(protocolVersion)
        ? protocolVersion
        : undefined;
    this.id = id;
    this.#opening = request.params;
    return undefined;
  }

  /** Remembers what a session keeps for its client. */
  takeSuccess({ method, params = {} }: RequestMessage): void {
    if (method === "logging/setLevel") this.#repeated.set(method, { method, params });
    const key = `uri ${String(params["uri"])}`;
    if (method === "resources/unsubscribe") this.#repeated.delete(key);
    if (method === "resources/subscribe" && this.#repeated.size < maxRepeated)
      this.#repeated.set(key, { method, params });
  }

  /** The headers that all requests of the session have. */
  get headers(): Record<string, string> {
    return {
      ...(this.version === undefined ? {} : { "mcp-protocol-version": this.version }),
      ...(this.id === undefined ? {} : { "mcp-session-id": this.id }),
    };
  }
}

function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e]{1,64}$/.test(text);
}

/** Gives the stateless version that a request names in its `_meta`. */
export function statelessVersionOf(version: unknown): string | undefined {
  return typeof version === "string" && isHeaderSafe(version) ? version : undefined;
}
