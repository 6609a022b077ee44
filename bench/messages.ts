/** The requests that benches send, in both eras. */

export type Revision = "2025-11-25" | "2026-07-28";

export interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const clientInfo = { name: "bench", version: "1.0.0" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** 32 bytes. */
export const shortText = "abcdefghijklmnopqrstuvwxyz012345";

/** The first request of a client of this revision. */
export function openingRequest(revision: Revision): Request {
  if (revision === "2026-07-28")
    return { id: 1, method: "server/discover", params: { _meta: meta } };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo };
  return { id: 1, method: "initialize", params };
}

/** What a client of this revision says once its first request is answered. */
export function openedNotification(revision: Revision): string {
  return revision === "2026-07-28"
    ? ""
    : '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
}

export function listRequest(id: number, revision: Revision): Request {
  return { id, method: "tools/list", params: metaOf(revision) };
}

export function echoRequest(id: number, revision: Revision, text: string): Request {
  const params = { name: "echo", arguments: { text }, ...metaOf(revision) };
  return { id, method: "tools/call", params };
}

/** Asks to be told when the list of tools changes, which 2026-07-28 alone can. */
export function listenRequest(id: number): Request {
  const notifications = { toolsListChanged: true };
  return { id, method: "subscriptions/listen", params: { notifications, _meta: meta } };
}

export function encode({ id, method, params }: Request): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

/** Throws unless the reply is the echo of this text. */
export function checkEcho(result: unknown, text: string): void {
  const { content } = toRecord(result);
  const first = Array.isArray(content) ? toRecord(content[0]) : {};
  if (first["text"] === text) return;
  throw new Error(`Wrong echo: ${JSON.stringify(result).slice(0, 300)}`);
}

export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function metaOf(revision: Revision): { readonly _meta?: typeof meta } {
  return revision === "2026-07-28" ? { _meta: meta } : {};
}
