/** Reads a statement before SQLite does, for what SQLite passes over in silence. */

import { beginsSelect, isSemicolon, scanSql } from "../scan-sql.ts";
import { StatementError } from "./statement-error.ts";

/** Gives the parameters with their sign, each once. Throws a `StatementError` for all that is not one SELECT. */
export function readText(sql: string): readonly string[] {
  const { tokens, trouble } = scanSql(sql);
  if (trouble !== undefined) throw new StatementError(trouble.what);
  const [first] = tokens;
  if (first === undefined || !beginsSelect(first))
    throw new StatementError("it does not begin as a SELECT");
  const end = tokens.findIndex(isSemicolon);
  if (end !== -1 && end !== tokens.length - 1)
    throw new StatementError("something stands behind its semicolon");
  const parameters = new Set<string>();
  for (const { kind, text } of tokens) {
    if (kind !== "parameter") continue;
    if (!/^[:@$]/.test(text))
      throw new StatementError(`its parameter ${text} has no name such as :id`);
    parameters.add(text);
  }
  return [...parameters];
}
