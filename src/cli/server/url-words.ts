/** A URL among a command's own words stands for the server, as a command after `--` does. */

import { UsageError } from "../../protocol/index.ts";
import type { Run } from "../command.ts";
import { isUrl } from "./url-target.ts";

/** Throws a `UsageError` for a word that is no URL, and where a server stands after `--` as well. */
export function withUrl(run: Run, url: string | undefined): Run {
  if (url === undefined) return run;
  if (!isUrl(url)) throw noUrl(url);
  if (run.serverWords.length > 0) {
    throw new UsageError(
      "two-servers",
      "Cannot connect to two servers: a URL and a command after --, expected one of them",
    );
  }
  return { ...run, serverWords: [url] };
}
/** Takes a URL from the front of the words of `genkan call`. */
export function takeUrl(
  run: Run,
  [first, second, third]: readonly [string, string | undefined, string | undefined],
): { readonly run: Run; readonly words: readonly [tool: string, json: string | undefined] } {
  if (!isUrl(first)) {
    if (third === undefined) return { run, words: [first, second] };
    throw new UsageError(
      "too-many",
      `Cannot read ${JSON.stringify(third.slice(0, 60))}: a tool and its arguments stand before it, expected nothing more`,
    );
  }
  if (second === undefined) {
    throw new UsageError(
      "no-tool",
      "Cannot call nothing: a URL stands alone, expected the tool's name after it",
      {
        hint: `genkan tools ${first}`,
      },
    );
  }
  return { run: withUrl(run, first), words: [second, third] };
}

function noUrl(word: string): UsageError {
  return new UsageError(
    "bad-url",
    `Cannot connect to ${JSON.stringify(word.slice(0, 100))}: it is no URL, expected http:// or https://, or a command after --`,
    { hint: `-- ${word}` },
  );
}
