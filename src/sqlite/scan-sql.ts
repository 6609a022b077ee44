/**
 * Reads SQL into its tokens, as SQLite does: which parameters it has, and whether there is one statement and all of it.
 *
 * It understands no grammar; SQLite does that. What SQLite passes over in silence is found here: a second statement, a NUL
 * that hides the rest, a comment without an end.
 *
 * @see https://sqlite.org/src/file/src/tokenize.c
 */

export interface SqlToken {
  /** A "name" is a word or a quoted identifier; a string in single quotes is a "text". */
  readonly kind: "name" | "text" | "number" | "parameter" | "symbol";
  /** Of a name its letters without quotes; of a parameter its sign too. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where it begins. */
  readonly at: number;
}

export interface SqlScan {
  readonly tokens: readonly SqlToken[];
  /** What cannot be read at all: `<what is>, expected <what should be>`. */
  readonly trouble: SqlTrouble | undefined;
}

export interface SqlTrouble {
  readonly at: number;
  readonly what: string;
}

export function scanSql(sql: string): SqlScan {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    const read = readToken(sql, at);
    if ("what" in read) return { tokens, trouble: { at, what: read.what } };
    if (read.token !== undefined) tokens.push(read.token);
    at = read.end;
  }
  return { tokens, trouble: undefined };
}

/** Whether a statement that begins with this token can be a SELECT. */
export function beginsSelect({ text, isQuoted }: SqlToken): boolean {
  return !isQuoted && beginnings.has(text.toUpperCase());
}

const beginnings = new Set(["SELECT", "WITH", "VALUES"]);

export function isSemicolon({ kind, text }: SqlToken): boolean {
  return kind === "symbol" && text === ";";
}

/** Says where something stands in a statement of several lines. */
export function placeInSql(sql: string, at: number): string {
  const before = sql.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1} of it`;
}

type Read =
  | { readonly token: SqlToken | undefined; readonly end: number }
  | { readonly what: string };

function readToken(sql: string, at: number): Read {
  const first = sql.charAt(at);
  if (first === "\0")
    return { what: "there is a NUL, behind which SQLite reads nothing, expected none" };
  const gap = matchAt(space, sql, at) ?? matchAt(lineComment, sql, at);
  if (gap !== undefined) return { token: undefined, end: at + gap.length };
  if (sql.startsWith("/*", at)) {
    const end = sql.indexOf("*/", at + 2);
    if (end === -1) return { what: "a comment begins that does not end, expected */" };
    if (sql.slice(at, end).includes("\0"))
      return {
        what: "there is a NUL in a comment, behind which SQLite reads nothing, expected none",
      };
    return { token: undefined, end: end + 2 };
  }
  const closing = quotes[first];
  if (closing !== undefined) return readQuoted(sql, at, closing);
  const parameter = matchAt(parameterForm, sql, at);
  if (parameter !== undefined) return toRead("parameter", parameter, at);
  const number = matchAt(numberForm, sql, at);
  if (number !== undefined) return toRead("number", number, at);
  const word = matchAt(wordForm, sql, at);
  if (word !== undefined) return toRead("name", word, at);
  return toRead("symbol", first, at);
}

/** What a quote is closed by; it stands in its own text doubled, but for the bracket. */
const quotes: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "[": "]" };

const space = /[ \t\n\f\r\uFEFF][ \t\n\v\f\r\uFEFF]*/y;
const lineComment = /--[^\n\0]*/y;
/** A sign with letters, and what Tcl adds to a name; or a question mark with its number. */
const parameterForm = /[:@$#](?:[\w$\u0080-\uFFFF]|::)+(?:\([^\s)]*\)?)?|\?\d*/y;
const numberForm = /(?:\d|\.\d)[\w.$]*/y;
const wordForm = /[\w\u0080-\uFFFF][\w$\u0080-\uFFFF]*/y;

function readQuoted(sql: string, at: number, closing: string): Read {
  const isText = closing === "'";
  let text = "";
  let from = at + 1;
  for (;;) {
    const end = sql.indexOf(closing, from);
    if (end === -1)
      return {
        what: `a ${isText ? "text" : "quoted name"} begins that does not end, expected ${closing}`,
      };
    text += sql.slice(from, end);
    const isDoubled = closing !== "]" && sql.charAt(end + 1) === closing;
    if (!isDoubled) {
      if (text.includes("\0"))
        return {
          what: "there is a NUL in quotes, behind which SQLite reads nothing, expected none",
        };
      const kind = isText ? "text" : "name";
      return { token: { kind, text, isQuoted: true, at }, end: end + 1 };
    }
    text += closing;
    from = end + 2;
  }
}

function toRead(kind: SqlToken["kind"], text: string, at: number): Read {
  return { token: { kind, text, isQuoted: false, at }, end: at + text.length };
}

function matchAt(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}
