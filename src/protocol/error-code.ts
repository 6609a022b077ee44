/**
 * Every error code a message of MCP can carry, by its name in the specification.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes
 */
export const ErrorCode = {
  /** The line is not JSON (JSON-RPC 2.0, section 5.1). */
  ParseError: -32700,
  /** JSON, but not a request object (JSON-RPC 2.0, section 5.1). */
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Up to 2025-11-25; 2026-07-28 replaced it by `InvalidParams` and forbids it. */
  ResourceNotFound: -32002,
  /** 2025-11-25 only; 2026-07-28 forbids it. */
  UrlElicitationRequired: -32042,
  /** Since 2026-07-28: HTTP headers and body disagree. */
  HeaderMismatch: -32020,
  /** Since 2026-07-28: `data.requiredCapabilities` says what the client must declare. */
  MissingRequiredClientCapability: -32021,
  /** Since 2026-07-28: `data.supported` lists what the server speaks. */
  UnsupportedProtocolVersion: -32022,
} as const;

const names = new Map<number, string>(Object.entries(ErrorCode).map(([name, code]) => [code, name]));

/** Names an error code as the specification does, or gives `undefined` for one it does not define. */
export function nameOfErrorCode(code: number): string | undefined {
  return names.get(code);
}
