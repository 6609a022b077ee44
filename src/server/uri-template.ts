/** Matches URIs against the part of RFC 6570 that resource templates use: `{name}`, `{+path}`, `{/name}` and `{?a,b}`. */

import { createRecord, UsageError } from "../protocol/index.ts";

export interface UriTemplate {
  readonly names: readonly string[];
  /** Gives the decoded variables of a URI, or `undefined` when the template does not make such a URI. */
  readonly match: (uri: string) => { readonly [name: string]: string } | undefined;
}

interface Variable {
  readonly name: string;
  /** The characters it may not hold: `+` alone crosses slashes. */
  readonly stops: string;
  /** The text between the variable and the next one, or the end. */
  readonly after: string;
}

interface Path {
  readonly start: string;
  readonly variables: readonly Variable[];
}

/** The longest URI that is looked at: it stops a peer from making the matching slow. */
export const maxUriLength = 8192;

/** Reads a template. Throws a `UsageError` for an expression that Genkan does not match. */
export function parseUriTemplate(template: string): UriTemplate {
  const misplaced =
    /(?<=\{\?[^{}]*\}).+/.exec(template) ?? /[{}]/.exec(template.replace(/\{[^{}]*\}/g, ""));
  if (misplaced !== null) throw invalidTemplate(template, misplaced[0]);
  const query: string[] = [];
  const texts = [""];
  const variables: Omit<Variable, "after">[] = [];
  for (const [index, piece] of template.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      texts[texts.length - 1] += piece;
      continue;
    }
    const [, operator = "", list = ""] = expression.exec(piece) ?? [];
    if (list === "") throw invalidTemplate(template, `{${piece}}`);
    for (const [place, name] of list.split(",").entries()) {
      if (query.includes(name) || variables.some((one) => one.name === name))
        throw invalidTemplate(template, `a second ${name}`);
      if (operator === "?") query.push(name);
      if (operator === "?") continue;
      if (operator === "/" || place > 0) texts[texts.length - 1] += operator === "/" ? "/" : ",";
      variables.push({ name, stops: operator === "+" ? "?#" : "/?#" });
      texts.push("");
    }
  }
  const [start = "", ...afters] = texts;
  const path = {
    start,
    variables: variables.map((one, index) => ({ ...one, after: afters[index] ?? "" })),
  };
  return {
    names: [...variables.map(({ name }) => name), ...query],
    match: (uri) => matchUri(uri, path, query),
  };
}

const expression = /^([+/?]?)([A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*)$/;

function matchUri(
  uri: string,
  path: Path,
  query: readonly string[],
): Record<string, string> | undefined {
  if (uri.length > maxUriLength || !uri.startsWith(path.start)) return undefined;
  const mark = query.length === 0 ? -1 : uri.indexOf("?");
  const search = mark === -1 ? "" : uri.slice(mark + 1);
  const values = splitPath(mark === -1 ? uri : uri.slice(0, mark), path);
  if (values === undefined || search.includes("#")) return undefined;
  const found = createRecord<string>([]);
  try {
    for (const [index, { name }] of path.variables.entries())
      found[name] = decodeURIComponent(values[index] ?? "");
  } catch {
    return undefined; // a broken percent-escape: no URI of this template
  }
  for (const [name, value] of new URLSearchParams(search))
    if (query.includes(name) && found[name] === undefined) found[name] = value;
  return found;
}

/**
 * Gives what each variable holds, the first as much as it can, then the second.
 *
 * A regular expression would try every way to cut `--------` into `{y}-{m}-{d}`; this takes the text's length times the
 * number of variables, whatever a peer sends: from the right, it notes where a variable would end for each place it may begin.
 */
function splitPath(text: string, { start, variables }: Path): readonly string[] | undefined {
  const ends: Int32Array[] = [];
  let next: Int32Array | undefined;
  for (const { stops, after } of variables.toReversed()) {
    const here = new Int32Array(text.length + 1).fill(nowhere);
    for (let at = text.length; at >= start.length; at--) {
      const longer = at < text.length && !stops.includes(text.charAt(at)) ? here[at + 1] : nowhere;
      if (longer !== undefined && longer !== nowhere) here[at] = longer;
      else if (text.startsWith(after, at) && fits(at + after.length, next, text)) here[at] = at;
    }
    ends.unshift(here);
    next = here;
  }
  if (!fits(start.length, next, text)) return undefined;
  let at = start.length;
  return variables.map(({ after }, index) => {
    const end = ends[index]?.[at] ?? at;
    const value = text.slice(at, end);
    at = end + after.length;
    return value;
  });
}

const nowhere = -1;

/** Whether the rest of the text, from `at` on, can be split further; after the last variable there must be no rest. */
function fits(at: number, ends: Int32Array | undefined, text: string): boolean {
  return ends === undefined ? at === text.length : (ends[at] ?? nowhere) !== nowhere;
}

function invalidTemplate(template: string, part: string): UsageError {
  const what = `Cannot read the URI template "${template}": ${part} is not supported`;
  return new UsageError("invalid-uri-template", what, {
    hint: "use {name}, {+path}, {/name} or, at the end, {?a,b}",
  });
}
