/** Reads `WWW-Authenticate`: what a server that refuses asks for. */

export interface Challenge {
  /** In lower case: `bearer`. */
  readonly scheme: string;
  /** The names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** How much of the header is read: it bounds what a server can make this side do. */
const maxHeaderLength = 8_192;

/**
 * Lists the challenges of a header; what cannot be read is left out.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  const item =
    /\s*(?:,\s*)*(?:([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))|([!#$%&'*+.^_`|~\w-]+)(?:\s+(?=[^\s,])|\s*(?=,|$)))/y;
  const text = (header ?? "").slice(0, maxHeaderLength);
  for (let match = item.exec(text); match !== null; match = item.exec(text)) {
    const [, name, quoted, bare, scheme] = match;
    if (scheme !== undefined)
      challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    const value = quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, "$1");
    const parameters = challenges.at(-1)?.parameters;
    if (name === undefined || value === undefined || parameters === undefined) continue;
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return challenges;
}

/** Finds the challenge that OAuth is about. */
export function findBearer(challenges: readonly Challenge[]): Challenge | undefined {
  return challenges.find(({ scheme }) => scheme === "bearer");
}

/** Says in words what a refusal asks for. */
export function describeChallenges(challenges: readonly Challenge[]): string {
  if (challenges.length === 0) return "it does not say what it wants (no WWW-Authenticate)";
  const { scheme, parameters } = findBearer(challenges) ?? challenges[0] ?? nothing;
  const said = [...parameters]
    .filter(([name]) => shown.has(name))
    .map(([name, value]) => `${name} "${value}"`);
  const schemes = challenges.map((challenge) => challenge.scheme).join(" or ");
  return `it asks for ${scheme === "" ? "nothing" : schemes}${said.length === 0 ? "" : ` with ${said.join(", ")}`}`;
}

const nothing: Challenge = { scheme: "", parameters: new Map() };

/** The parameters a person can do something with. */
const shown = new Set(["error", "error_description", "realm", "resource_metadata", "scope"]);
