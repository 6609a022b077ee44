// What the official clients are run with: how they start our server, and the judgement of every line it has sent them.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject } from "../../src/protocol/index.ts";

/** Says whether a value is what a type of the specification demands: nothing, or what is wrong. */
export type Judge = (type: string, value: unknown) => string | undefined;

interface Starting {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly stderr: "ignore";
}

export class Recording implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "genkan-peer-"));
  readonly #methods = new Map<unknown, string>();

  /** How a client starts the server, so that its lines are recorded. */
  get starting(): Starting {
    const preload = new URL("../../fixtures/servers/record-stdout.ts", import.meta.url).href;
    const server = fileURLToPath(
      new URL("../../fixtures/servers/honest-genkan.ts", import.meta.url),
    );
    return {
      command: process.execPath,
      args: ["--import", preload, server],
      env: { RECORD_STDOUT: this.#file },
      stderr: "ignore",
    };
  }

  /** Notes which method a request of the client has, to know what its result must be. */
  note(message: unknown): void {
    if (isObject(message) && "id" in message && typeof message["method"] === "string")
      this.#methods.set(message["id"], message["method"]);
  }

  /** Holds every line against the schemas of a client, and gives the lines. */
  check(judge: Judge): readonly unknown[] {
    const lines = readFileSync(this.#file, "utf8").split("\n");
    assert.equal(lines.pop(), "", "the last line is whole");
    const messages = lines.map((line): unknown => JSON.parse(line));
    for (const message of messages)
      for (const [type, value] of this.#typesOf(message))
        assert.equal(judge(type, value), undefined, `${type}: ${JSON.stringify(value)}`);
    return messages;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  get #file(): string {
    return join(this.#folder, "stdout");
  }

  /** Names the types that a message must be. */
  #typesOf(message: unknown): readonly (readonly [type: string, value: unknown])[] {
    assert.ok(isObject(message));
    const envelope = ["JSONRPCMessage", message] as const;
    if (!("result" in message))
      return "method" in message ? [envelope, [typeOfCall(message), message]] : [envelope];
    const method = this.#methods.get(message["id"]) ?? "server/discover"; // the probe of v2 runs on a process of its own
    const result = message["result"];
    const isQuestion = isObject(result) && result["resultType"] === "input_required";
    const type = isQuestion ? "Result" : resultTypes[method];
    assert.ok(type !== undefined, method);
    return [envelope, [type, result]];
  }
}

function typeOfCall(message: object): string {
  if ("id" in message) return "ServerRequest";
  const isAcknowledgement =
    "method" in message && message.method === "notifications/subscriptions/acknowledged";
  return isAcknowledgement ? "SubscriptionsAcknowledgedNotification" : "ServerNotification";
}

const resultTypes: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  "server/discover": "DiscoverResult",
  ping: "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "logging/setLevel": "EmptyResult",
  "subscriptions/listen": "SubscriptionsListenResult",
};
