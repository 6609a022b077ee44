/** Requests of HTTP/1.1 as bytes, and where a reply to them ends. */

const headEnd = "\r\n\r\n";
const lastChunk = "\r\n0\r\n\r\n";

export function encodeHttp(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Buffer {
  const all = { host: `127.0.0.1:${port}`, ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Gives how long the reply is that the bytes begin with; `undefined` while it is not whole. */
export function findReplyLength(bytes: Buffer): number | undefined {
  const headLength = bytes.indexOf(headEnd) + headEnd.length;
  if (headLength < headEnd.length) return undefined;
  const head = bytes.toString("latin1", 0, headLength).toLowerCase();
  if (head.includes("\r\ntransfer-encoding: chunked\r\n")) {
    const end = bytes.indexOf(lastChunk, headLength);
    return end === -1 ? undefined : end + lastChunk.length;
  }
  const length = headLength + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  return bytes.length < length ? undefined : length;
}

/** Reads the JSON object of a reply, which may stand in one chunk. */
export function parseReply(bytes: Buffer): unknown {
  const body = bytes.subarray(bytes.indexOf(headEnd));
  return JSON.parse(body.toString("utf8", body.indexOf("{"), body.lastIndexOf("}") + 1));
}
