/** Takes the statement of a declared tool, or says what keeps it from being one SELECT with named parameters. */

import { expectOneOf } from "../../protocol/index.ts";
import { beginsSelect, isSemicolon, placeInSql, scanSql, type SqlToken } from "../scan-sql.ts";

export interface Statement {
  readonly tokens: readonly SqlToken[];
  /** The names of its parameters, without their sign, each once. */
  readonly parameters: readonly string[];
  /** `<what is>, expected <what should be>`. */
  readonly faults: readonly string[];
}

export function readStatement(sql: string, declared: readonly string[]): Statement {
  const { tokens, trouble } = scanSql(sql);
  const say = (at: number, what: string): string => `at ${placeInSql(sql, at)} ${what}`;
  if (trouble !== undefined)
    return { tokens, parameters: declared, faults: [say(trouble.at, trouble.what)] };
  const [first] = tokens;
  if (first === undefined)
    return { tokens, parameters: declared, faults: [`it is empty, expected ${oneSelect}`] };
  const faults: string[] = [];
  if (!beginsSelect(first)) faults.push(`it begins with ${quote(first)}, expected ${oneSelect}`);
  const end = tokens.findIndex(isSemicolon);
  const second = end === -1 ? undefined : tokens[end + 1];
  if (second !== undefined)
    faults.push(say(second.at, `a second statement begins with ${quote(second)}, expected one`));
  const spellings = new Map<string, string>();
  for (const { kind, text, at } of tokens) {
    if (kind !== "parameter") continue;
    const fault = findParameterFault(text, spellings, declared);
    if (fault !== undefined) faults.push(say(at, fault));
  }
  return { tokens, parameters: [...spellings.keys()], faults: [...new Set(faults)] };
}

/** The form of a parameter's name; one that begins with a letter is no name that JavaScript's objects have. */
export const parameterName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const oneSelect = "one SELECT, WITH … SELECT or VALUES";

/** Notes how the parameter is spelt; says what is wrong with it. */
function findParameterFault(
  text: string,
  spellings: Map<string, string>,
  declared: readonly string[],
): string | undefined {
  const name = text.slice(1);
  if (text.startsWith("?"))
    return `there is the positional parameter "${text}", expected a name such as :id`;
  if (text.startsWith("#") || !parameterName.test(name))
    return `there is the parameter ${JSON.stringify(text)}, expected a name such as :id`;
  const first = spellings.get(name);
  if (first !== undefined && first !== text)
    return `there is "${text}" and before it "${first}", expected one spelling`;
  spellings.set(name, text);
  if (first !== undefined || declared.includes(name)) return undefined;
  const expected =
    declared.length === 0 ? "expected it among parameters" : expectOneOf(name, declared);
  return `there is the parameter "${text}", which is not declared, ${expected}`;
}

function quote({ text }: SqlToken): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
