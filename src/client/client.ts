/** A connected client: what an application calls. */

import type {
  CallToolResult,
  Change,
  Completion,
  CompletionReference,
  GetPromptResult,
  Implementation,
  JsonObject,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Revision,
  ServerCapabilities,
  SubscriptionFilter,
  Tool,
} from "../protocol/index.ts";
import type { StopTimes } from "../transport/index.ts";
import type { Agreement } from "./agreement.ts";
import { noOptions, type CallOptions } from "./call-options.ts";
import type { Requester } from "./requester.ts";
import type { CloseReport } from "./close-report.ts";
import type { FreshResults } from "./fresh-results.ts";
import type { Report } from "./observations.ts";
import type { Opening } from "./opening.ts";
import { listAll, type ListOptions } from "./pages.ts";
import {
  isPrompt,
  isResource,
  isResourceTemplate,
  isTool,
  readCompletion,
  readPromptResult,
  readResourceResult,
  readToolResult,
} from "./results.ts";
import type { ServerRequests } from "./server-requests.ts";
import type { Subscription } from "./subscription.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface ClientParts {
  readonly requester: Requester;
  readonly opening: Opening;
  readonly agreement: Agreement;
  readonly serverRequests: ServerRequests;
  readonly subscriptions: Subscriptions;
  readonly fresh: FreshResults;
  readonly stopTimes: StopTimes;
  /** The ends of processes that were tried and not taken. */
  readonly others: readonly Promise<CloseReport>[];
}

/**
 * Calls a server. Every method rejects with a `ClientError` whose `code` says why, and a `ServerError` where the server itself
 * answered with an error; a tool's own failure (`isError`) is a value.
 */
export class Client implements AsyncDisposable {
  /** The agreed revision, for instance `"2026-07-28"`. */
  readonly revision: string;
  readonly era: Revision["era"];
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly #parts: ClientParts;
  readonly #requester: Requester;
  readonly #fresh: FreshResults;
  readonly #subscriptions: Subscriptions;
  readonly #readToolResult = (result: JsonObject): CallToolResult =>
    readToolResult(result, this.#requester.connection.observations);
  #closing: Promise<CloseReport> | undefined;

  constructor(parts: ClientParts) {
    const { agreement, requester } = parts;
    this.#parts = parts;
    this.#requester = requester;
    this.#fresh = parts.fresh;
    this.#subscriptions = parts.subscriptions;
    this.revision = agreement.revision.version;
    this.era = agreement.revision.era;
    this.serverInfo = agreement.serverInfo;
    this.serverCapabilities = agreement.serverCapabilities;
    this.instructions = agreement.instructions;
    void requester.connection.ended.then(() => {
      parts.serverRequests.cancelAll();
      this.#subscriptions.end({
        code: "closed",
        what: "the connection is closed, expected further changes",
      });
    });
  }

  /** The process of the server, where the client started it. */
  get pid(): number | undefined {
    return this.#parts.opening.child?.pid;
  }

  /** Lists all tools, page by page; what the server calls fresh is not asked for again. */
  listTools(options: ListOptions = noOptions): Promise<readonly Tool[]> {
    return listAll(
      this.#requester,
      this.#fresh,
      { method: "tools/list", member: "tools", isItem: isTool },
      options,
    );
  }

  listResources(options: ListOptions = noOptions): Promise<readonly Resource[]> {
    return listAll(
      this.#requester,
      this.#fresh,
      { method: "resources/list", member: "resources", isItem: isResource },
      options,
    );
  }

  listResourceTemplates(options: ListOptions = noOptions): Promise<readonly ResourceTemplate[]> {
    const kind = {
      method: "resources/templates/list",
      member: "resourceTemplates",
      isItem: isResourceTemplate,
    };
    return listAll(this.#requester, this.#fresh, kind, options);
  }

  listPrompts(options: ListOptions = noOptions): Promise<readonly Prompt[]> {
    return listAll(
      this.#requester,
      this.#fresh,
      { method: "prompts/list", member: "prompts", isItem: isPrompt },
      options,
    );
  }

  /** Calls a tool. A tool that ran and failed gives a result with `isError: true`. */
  callTool(name: string, args?: JsonObject, options?: CallOptions): Promise<CallToolResult> {
    const params = { name, arguments: args, _meta: this.#requester.metaFor(options) };
    return this.#requester.call("tools/call", params, this.#readToolResult, options);
  }

  async readResource(uri: string, options: ListOptions = noOptions): Promise<ReadResourceResult> {
    const method = "resources/read";
    const hasHints = this.#requester.revision.cacheHints;
    const kept = hasHints && options.refresh !== true ? this.#fresh.find(method, uri) : undefined;
    if (kept !== undefined) return readResourceResult(kept);
    const { generation } = this.#fresh;
    const params = { uri, _meta: this.#requester.metaFor(options) };
    return this.#requester.call(
      method,
      params,
      (result, isCacheable) => {
        const read = readResourceResult(result);
        if (hasHints && isCacheable) this.#fresh.keep(method, uri, result, generation);
        return read;
      },
      options,
    );
  }

  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<GetPromptResult> {
    const params = { name, arguments: args, _meta: this.#requester.metaFor(options) };
    return this.#requester.call("prompts/get", params, readPromptResult, options);
  }

  /** Completes an argument of a prompt or of a resource template. */
  complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Completion> {
    const known = context === undefined ? {} : { context: { arguments: context } };
    const params = { ref, argument, ...known, _meta: this.#requester.metaFor(options) };
    return this.#requester.call("completion/complete", params, readCompletion, options);
  }

  /** Tells of changes until the subscription is disposed or the signal aborted, in the way of the server's era. */
  subscribe(
    filter: SubscriptionFilter,
    onChange: (change: Change) => void,
    options: CallOptions = noOptions,
  ): Promise<Subscription> {
    return this.#subscriptions.open(filter, onChange, options);
  }

  /** Asks for log messages from this level on: of the session, or with every later request where there is none. */
  async setLogLevel(level: LoggingLevel): Promise<void> {
    if (this.era === "stateless") this.#requester.setLogLevel(level);
    else await this.#requester.call("logging/setLevel", { level }, () => {});
  }

  /** Asks for a sign of life; stateless servers have no ping and are asked for `server/discover`. */
  async ping(options?: CallOptions): Promise<void> {
    const method = this.era === "stateless" ? "server/discover" : "ping";
    await this.#requester.call(
      method,
      withMeta({}, this.#requester.metaFor(options)),
      () => {},
      options,
    );
  }

  /** Sends any request and gives its result as it came; input the server asks for is answered by the handlers. */
  request(method: string, params: JsonObject = {}, options?: CallOptions): Promise<JsonObject> {
    const meta = this.#requester.metaFor(options, params["_meta"]);
    return this.#requester.call(method, withMeta(params, meta), (result) => result, options);
  }

  notify(method: string, params?: JsonObject): void {
    this.#requester.connection.notify(method, params);
  }

  /** Gives what was seen so far besides good messages. */
  report(): Report {
    const { child } = this.#parts.opening;
    const { observations } = this.#requester.connection;
    return observations.report({
      stderrTail: child?.stderr.text() ?? "",
      stderrBytes: child?.stderr.totalBytes ?? 0,
    });
  }

  /** Ends the connection, and step by step the server that was started for it; calls still running fail with the code "closed". */
  close(): Promise<CloseReport> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<CloseReport> {
    const { opening, serverRequests, stopTimes, others } = this.#parts;
    opening.connection.end({ code: "closed", what: "this side closed the connection" });
    serverRequests.cancelAll();
    this.#subscriptions.end({
      code: "closed",
      what: "this side closed the connection, expected further changes",
    });
    const report = await opening.close(stopTimes);
    await Promise.all(others);
    return report;
  }
}

function withMeta(params: JsonObject, meta: JsonObject | undefined): JsonObject {
  return meta === undefined ? params : { ...params, _meta: meta };
}
