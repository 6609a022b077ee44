/** Tells a person who has started a server over stdio by hand what it waits for, and how to try it. */

import process from "node:process";
import { toPrintable } from "../../protocol/index.ts";

/**
 * Reports nothing where no terminal is at stdin: there a host is.
 *
 * @param what what is served, as people call it
 * @param example the words after `genkan` that try it, and those that start it
 */
export function tellPerson(
  report: (text: string) => void,
  what: string,
  example: { readonly call: string; readonly server: readonly string[] },
): void {
  if (!process.stdin.isTTY) return;
  const server = ["genkan", ...example.server].map(quote).join(" ");
  report(
    `Serving ${toPrintable(what, 500)} over stdio: a host starts this by itself (--print-config <host>). To try it: genkan ${example.call} -- ${toPrintable(server, 1_000)} ; Ctrl-C ends it.`,
  );
}

/** For a shell: a word that is not plain stands in quotes. */
function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
