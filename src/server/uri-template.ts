/** Matches URIs against the part of RFC 6570 that resource templates use: `{name}`, `{+path}`, `{/name}` and `{?a,b}`. */

import { UsageError } from "../protocol/index.ts";

export interface UriTemplate {
  readonly names: readonly string[];
  /** Gives the decoded variables of a URI, or `undefined` when the template does not make such a URI. */
  match(uri: string): { readonly [name: string]: string } | undefined;
}

/** The longest URI that is looked at: it stops a peer from making the matching slow. */
const maxUriLength = 8192;

/** Reads a template. Throws a `UsageError` for an expression that Genkan does not match. */
export function parseUriTemplate(template: string): UriTemplate {
  const names: string[] = [];
  const query: string[] = [];
  let pattern = "";
  let rest = 0;
  for (const expression of template.matchAll(/\{([^{}]*)\}/g)) {
    const [whole, body = ""] = expression;
    pattern += escapeRegExp(template.slice(rest, expression.index));
    rest = expression.index + whole.length;
    const [, operator = "", list = ""] =
      /^([+/?]?)([A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*)$/.exec(body) ?? [];
    if (list === "") throw invalidTemplate(template, whole);
    const listed = list.split(",");
    if (operator === "?") query.push(...listed);
    else
      pattern += listed
        .map(() => capture[operator] ?? capture[""])
        .join(operator === "/" ? "" : ",");
    if (operator !== "?") names.push(...listed);
  }
  pattern += escapeRegExp(template.slice(rest));
  const expected = new RegExp(`^${pattern}${query.length > 0 ? "(?:\\?([^#]*))?" : ""}$`);
  return { names: [...names, ...query], match: (uri) => matchUri(uri, expected, names, query) };
}

function matchUri(
  uri: string,
  expected: RegExp,
  names: readonly string[],
  query: readonly string[],
): Record<string, string> | undefined {
  const found = uri.length > maxUriLength ? null : expected.exec(uri);
  if (found === null) return undefined;
  const variables: Record<string, string> = {};
  try {
    for (const [index, name] of names.entries())
      variables[name] = decodeURIComponent(found[index + 1] ?? "");
  } catch {
    return undefined; // a broken percent-escape: no URI of this template
  }
  const search = new URLSearchParams(query.length > 0 ? (found[names.length + 1] ?? "") : "");
  for (const name of query) {
    const value = search.get(name);
    if (value !== null) variables[name] = value;
  }
  return variables;
}

/** What each operator's variable may hold: `+` alone crosses slashes. */
const capture: Record<string, string> = { "": "([^/?#]*)", "+": "([^?#]*)", "/": "/([^/?#]*)" };

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function invalidTemplate(template: string, expression: string): UsageError {
  const what = `Cannot read the URI template "${template}": ${expression} is not supported`;
  return new UsageError("invalid-uri-template", what, {
    hint: "use {name}, {+path}, {/name} or {?a,b}",
  });
}
