/** Finds where a text stops being JSON; runs only on lines that `JSON.parse` has refused. */

export type JsonScan =
  | { readonly kind: "value"; readonly end: number }
  | { readonly kind: "error"; readonly at: number; readonly expected: string };

type Expectation = "value" | "value or ]" | `"a key" or }` | "a key" | ":" | "after";

/**
 * Scans one JSON value from `start` and says where it and the white space after it end, or where the first token stands that
 * JSON does not allow.
 *
 * Keeps its own stack, so that 100 000 nested arrays cost memory and never the call stack.
 */
export function scanJson(text: string, start = 0): JsonScan {
  const closers: string[] = [];
  let expectation: Expectation = "value";
  let at = skipSpace(text, start);
  for (;;) {
    const character = text[at];
    switch (expectation) {
      case "value or ]":
      case "value":
        if (character === "]" && expectation === "value or ]") {
          closers.pop();
          at++;
          expectation = "after";
        } else if (character === "{") {
          closers.push("}");
          at++;
          expectation = `"a key" or }`;
        } else if (character === "[") {
          closers.push("]");
          at++;
          expectation = "value or ]";
        } else {
          const scalar = scanScalar(text, at);
          if (scalar.kind === "error") return scalar;
          at = scalar.end;
          expectation = "after";
        }
        break;
      case `"a key" or }`:
      case "a key": {
        if (character === "}" && expectation !== "a key") {
          closers.pop();
          at++;
          expectation = "after";
          break;
        }
        if (character !== '"') return { kind: "error", at, expected: `a key in double quotes` };
        const key = scanString(text, at);
        if (key.kind === "error") return key;
        at = key.end;
        expectation = ":";
        break;
      }
      case ":":
        if (character !== ":") return { kind: "error", at, expected: `":"` };
        at++;
        expectation = "value";
        break;
      case "after": {
        const closer = closers.at(-1);
        if (closer === undefined) return { kind: "value", end: at };
        if (character === closer) closers.pop();
        else if (character === ",") expectation = closer === "}" ? "a key" : "value";
        else return { kind: "error", at, expected: `"," or "${closer}"` };
        at++;
        break;
      }
    }
    at = skipSpace(text, at);
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d && code !== 0x0a) return at;
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals = ["true", "false", "null"];

function scanScalar(text: string, at: number): JsonScan {
  if (text[at] === '"') return scanString(text, at);
  const literal = literals.find((word) => text.startsWith(word, at));
  if (literal !== undefined) return { kind: "value", end: at + literal.length };
  number.lastIndex = at;
  if (number.test(text)) return { kind: "value", end: number.lastIndex };
  return { kind: "error", at, expected: "a JSON value" };
}

const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function scanString(text: string, open: number): JsonScan {
  for (let at = open + 1; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: "value", end: at + 1 };
    if (code < 0x20)
      return { kind: "error", at, expected: "the control character written as an escape" };
    if (code !== 0x5c) {
      at++;
      continue;
    }
    escapes.lastIndex = at;
    if (!escapes.test(text)) return { kind: "error", at, expected: "one of JSON's escapes" };
    at = escapes.lastIndex;
  }
  return { kind: "error", at: text.length, expected: 'the closing "' };
}
