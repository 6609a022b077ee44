/** One request at a time: opens a server, and gets the replies that are not part of a timed loop. */

import {
  checkEcho,
  echoRequest,
  encode,
  openedNotification,
  openingRequest,
  shortText,
  toRecord,
  type Request,
  type Revision,
} from "./messages.ts";
import type { Subject } from "./process.ts";

/** A reply as it came, its result, and when its last byte was there. */
export interface Reply {
  readonly line: Buffer;
  readonly result: unknown;
  readonly at: number;
}

/**
 * Sends a request and gives the next line as its reply. Throws when that is an error or a reply to something else.
 *
 * @param send writes the bytes; default: at once
 */
export async function ask(
  server: Subject,
  request: Request,
  send: (bytes: Buffer) => Promise<void> | void = (bytes) => void server.stdin.write(bytes),
): Promise<Reply> {
  const coming = server.orFail(readLine(server));
  await Promise.all([send(Buffer.from(encode(request))), coming]);
  const { line, at } = await coming;
  const reply: unknown = JSON.parse(line.toString());
  const { id, result } = toRecord(reply);
  if (id === request.id && result !== undefined) return { line, result, at };
  throw new Error(`Wrong reply to ${request.method}: ${line.toString().slice(0, 300)}`);
}

/** Opens a server for this revision and checks that it echoes. */
export async function open(server: Subject, revision: Revision): Promise<void> {
  await ask(server, openingRequest(revision));
  server.stdin.write(openedNotification(revision));
  const { result } = await ask(server, echoRequest(2, revision, shortText));
  checkEcho(result, shortText);
}

/** Reads the bytes up to a newline that ends a chunk: with one request in flight, nothing comes behind it. */
function readLine({ stdout }: Subject): Promise<{ readonly line: Buffer; readonly at: number }> {
  const { promise, resolve } = Promise.withResolvers<{ line: Buffer; at: number }>();
  const chunks: Buffer[] = [];
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    if (chunk.at(-1) !== newline) return;
    const at = performance.now();
    stdout.off("data", take);
    resolve({ line: Buffer.concat(chunks), at });
  };
  stdout.on("data", take);
  return promise;
}

const newline = 10;
