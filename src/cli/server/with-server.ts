/** Runs one command against the server that its command line names. */

import type { Client } from "../../client/index.ts";
import { toPrintable, toPrintableLines } from "../../protocol/index.ts";
import type { Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { showTranscript } from "../transcript/show-transcript.ts";
import { readConnectOptions, readTarget, type ServerFlags } from "./flags.ts";
import { visit, type Visit } from "./visit.ts";

/**
 * Gives how it ended.
 *
 * @param example the command line up to `--`, for the hint when the rest is missing
 */
export function withServer(
  { screen, serverWords }: Run,
  flags: ServerFlags,
  example: string,
  use: (visit: Visit) => Promise<Exit>,
): Promise<Exit> {
  const target = readTarget(serverWords, flags, example, (text) => screen.note(text));
  const options = readConnectOptions(flags);
  const isVerbose = flags.verbose === true;
  return visit(screen, {
    target,
    options: isVerbose ? { ...options, onLine: showTranscript(screen) } : options,
    label: "command" in target ? `starting ${toPrintable(target.command, 60)}` : "connecting",
    use: (here) => {
      here.spinner.say("waiting for the server");
      return use(here);
    },
    after: (client) => {
      if (isVerbose) showStderr(screen, client);
    },
  });
}

function showStderr(screen: Screen, client: Client): void {
  const { stderrTail } = client.report();
  if (stderrTail === "") return;
  screen.note(`stderr of the server:\n${toPrintableLines(stderrTail.trimEnd())}`);
}
