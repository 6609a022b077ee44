import assert from "node:assert/strict";
import { test } from "node:test";
import { describeThrown, ErrorCode, nameOfErrorCode, UsageError, WireError } from "./errors.ts";

test("the error codes are those of JSON-RPC 2.0 and MCP", () => {
  assert.deepEqual(ErrorCode, {
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
    ResourceNotFound: -32002,
    UrlElicitationRequired: -32042,
    HeaderMismatch: -32020,
    MissingRequiredClientCapability: -32021,
    UnsupportedProtocolVersion: -32022,
  });
});

test("nameOfErrorCode() knows the codes of the specification only", () => {
  assert.equal(nameOfErrorCode(-32601), "MethodNotFound");
  assert.equal(nameOfErrorCode(-32022), "UnsupportedProtocolVersion");
  assert.equal(nameOfErrorCode(0), undefined);
  assert.equal(nameOfErrorCode(-32000), undefined);
});

test("a WireError sends its code, text and data, and never its cause", () => {
  const cause = new Error("password is hunter2");
  const bare = new WireError(-32603, "Cannot do it", { cause });
  assert.equal(JSON.stringify(bare.toBody()), '{"code":-32603,"message":"Cannot do it"}');
  assert.equal(bare.cause, cause);
  assert.deepEqual(new WireError(1, "m", { data: null }).toBody(), {
    code: 1,
    message: "m",
    data: null,
  });
  assert.equal("cause" in new WireError(1, "m"), false);
});

test("a UsageError has a code and a hint to type", () => {
  const error = new UsageError("no-such-file", `Cannot open "x": it is absent`, { hint: "ls" });
  assert.deepEqual(
    [error.name, error.code, error.hint, error.message],
    ["UsageError", "no-such-file", "ls", `Cannot open "x": it is absent`],
  );
  assert.equal(new UsageError("c", "m").hint, undefined);
  assert.equal(new UsageError("c", "m", { cause: 0 }).cause, 0);
  assert.equal("cause" in new UsageError("c", "m"), false);
});

test("describeThrown() shows whatever was thrown", () => {
  const error = new TypeError("bad");
  assert.equal(describeThrown(error), error.stack);
  delete error.stack;
  assert.equal(describeThrown(error), "TypeError: bad");
  assert.equal(describeThrown("text"), "a thrown string: text");
  assert.equal(describeThrown(undefined), "a thrown undefined: undefined");
  assert.equal(describeThrown(Symbol("s")), "a thrown symbol: Symbol(s)");
});

test("describeThrown() shows what cannot be made a string", () => {
  assert.equal(describeThrown(Object.create(null)), "a thrown object that has no text");
});
