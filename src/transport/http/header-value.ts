/**
 * Header values that mirror the body: plain where HTTP can carry them, base64 between markers where not.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */

const prefix = "=?base64?";
const suffix = "?=";

/** Encodes a value so that any text passes through a header unharmed. */
export function encodeHeaderValue(value: string): string {
  const isPlain = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(value);
  return isPlain && !isMarked(value)
    ? value
    : `${prefix}${Buffer.from(value).toString("base64")}${suffix}`;
}

/** Gives the value that a header carries, or `undefined` for one that is not well-formed. */
export function decodeHeaderValue(header: string): string | undefined {
  if (!isMarked(header)) return /^[\t\x20-\x7e]*$/.test(header) ? header : undefined;
  const encoded = header.slice(prefix.length, -suffix.length);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded))
    return undefined;
  try {
    return strictDecoder.decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined; // not UTF-8
  }
}

function isMarked(value: string): boolean {
  return (
    value.length >= prefix.length + suffix.length &&
    value.startsWith(prefix) &&
    value.endsWith(suffix)
  );
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
