/**
 * Checks that the headers of a stateless request say what its body says: a gateway may have decided by the headers alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */

import {
  describeValue,
  ErrorCode,
  findRevision,
  protocolVersionOf,
  WireError,
  type JsonObject,
  type RequestMessage,
} from "../../protocol/index.ts";
import type { Exchange } from "./exchange.ts";
import { listHeaderParameters, readParameter, type HeaderParameter } from "./header-parameters.ts";
import { decodeHeaderValue } from "./header-value.ts";
import { quote } from "./media-type.ts";

/** Gives the input schema of a tool, if there is such a tool. */
export type FindInputSchema = (tool: string) => JsonObject | undefined;

/** Throws a `WireError` (-32020) where a header is missing or says something else than the body. */
export function checkRequestHeaders(
  exchange: Exchange,
  request: RequestMessage,
  findInputSchema: FindInputSchema,
): void {
  const version = protocolVersionOf(request.params);
  compare("MCP-Protocol-Version", exchange.header("mcp-protocol-version"), version);
  if (findRevision(version)?.era !== "stateless") return; // answered by -32022: its header rules are not ours to know
  compare("Mcp-Method", exchange.header("mcp-method"), request.method);
  const member = namedBy(request.method);
  if (member === undefined) return;
  const name = request.params?.[member];
  if (typeof name !== "string") return; // answered by -32602
  if (exchange.header("mcp-name") !== name)
    compare("Mcp-Name", decode("Mcp-Name", exchange.header("mcp-name")), name);
  if (request.method !== "tools/call") return;
  const schema = findInputSchema(name);
  if (schema === undefined) return;
  for (const parameter of parametersOf(schema)) checkParameter(exchange, request, parameter);
}

function namedBy(method: string): "name" | "uri" | undefined {
  if (method === "tools/call" || method === "prompts/get") return "name";
  return method === "resources/read" ? "uri" : undefined;
}

function checkParameter(
  exchange: Exchange,
  { params }: RequestMessage,
  { header, path, type }: HeaderParameter,
): void {
  const given = decode(header, exchange.header(header));
  const value = readParameter(params?.["arguments"], path);
  const isDecimal = given !== undefined && /^-?\d+(?:\.\d+)?$/.test(given);
  if (type === "integer" && isDecimal && Number(given) === value) return; // 42.0 is 42
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  compare(header, given, isScalar ? String(value) : undefined);
}

function compare(header: string, given: string | undefined, body: unknown): void {
  if (given === body) return;
  const is = given === undefined ? "missing" : quote(given);
  throw mismatch(`${header} is ${is}, expected what the body says: ${describeValue(body)}`);
}

function decode(header: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const decoded = decodeHeaderValue(value);
  if (decoded !== undefined) return decoded;
  throw mismatch(`${header} is not well-formed, expected visible ASCII, or base64 in its markers`);
}

function mismatch(what: string): WireError {
  return new WireError(ErrorCode.HeaderMismatch, `Header mismatch: ${what}`);
}

const found = new WeakMap<JsonObject, readonly HeaderParameter[]>();

/** A schema with faulty annotations has none: clients leave its tool out. */
function parametersOf(schema: JsonObject): readonly HeaderParameter[] {
  const known = found.get(schema);
  if (known !== undefined) return known;
  const listed = listHeaderParameters(schema);
  const parameters = "parameters" in listed ? listed.parameters : [];
  found.set(schema, parameters);
  return parameters;
}
