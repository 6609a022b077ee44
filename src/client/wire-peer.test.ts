// A server for tests, written as lines: it sees what the client sends and writes any bytes back. Has no tests of its own.

import { once } from "node:events";
import { PassThrough } from "node:stream";
import { StreamTransport, type Transport } from "../transport/index.ts";
import { connect, type Client, type ConnectOptions } from "./index.ts";

export interface Sent {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Peer {
  readonly transport: Transport;
  /** Every line the client has sent, as its text. */
  readonly lines: string[];
  write(text: string): void;
  /** Resolves with the first line, past or future, that contains the text. */
  seen(text: string): Promise<string>;
  end(): void;
}

export type Script = (message: Sent, peer: Peer) => void;

export function openPeer(script: Script): Peer {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const lines: string[] = [];
  let rest = "";
  const arrived = new PassThrough({ objectMode: true });
  arrived.resume();
  const peer: Peer = {
    transport: new StreamTransport({ input: toClient, output: toServer }),
    lines,
    write: (text) => void toClient.write(text),
    seen: async (text) => {
      for (;;) {
        const line = lines.find((each) => each.includes(text));
        if (line !== undefined) return line;
        await once(arrived, "line");
      }
    },
    end: () => void toClient.end(),
  };
  toServer.on("data", (piece: Buffer) => {
    const pieces = (rest + piece.toString()).split("\n");
    rest = pieces.pop() ?? "";
    for (const line of pieces) {
      lines.push(line);
      arrived.emit("line");
      script(JSON.parse(line), peer);
    }
  });
  return peer;
}

export const discovered =
  '"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}';
export const initialized =
  '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}';

/** Connects to a stateless server that answers everything but discovery by the script. */
export async function connectStateless(
  script: Script,
  options: ConnectOptions = {},
): Promise<readonly [Client, Peer]> {
  return connectPeer((message, peer) => {
    if (message.method === "server/discover")
      peer.write(`{"jsonrpc":"2.0","id":${message.id},${discovered}}\n`);
    else script(message, peer);
  }, options);
}

/** Connects to a handshake server that answers everything but the handshake by the script. */
export async function connectHandshake(
  script: Script,
  options: ConnectOptions = {},
): Promise<readonly [Client, Peer]> {
  return connectPeer(
    (message, peer) => {
      if (message.method === "initialize")
        peer.write(`{"jsonrpc":"2.0","id":${message.id},${initialized}}\n`);
      else script(message, peer);
    },
    { era: "handshake", ...options },
  );
}

async function connectPeer(
  script: Script,
  options: ConnectOptions,
): Promise<readonly [Client, Peer]> {
  const peer = openPeer(script);
  return [await connect({ transport: peer.transport }, options), peer];
}
