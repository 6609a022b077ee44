/** Sets of scopes, written with spaces between them. */

export function parseScopes(text: string | undefined): readonly string[] {
  return (text ?? "").split(/ +/).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
}

/** Gives all of them, each once, in the order of their first mention; `undefined` where there are none. */
export function uniteScopes(
  ...lists: readonly (readonly string[] | undefined)[]
): string | undefined {
  const all = new Set(lists.flatMap((list) => list ?? []));
  return all.size === 0 ? undefined : [...all].join(" ");
}
