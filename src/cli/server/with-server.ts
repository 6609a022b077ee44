/** Runs one command against a server: starts it, uses it, ends it, and puts what fails into a sentence and an exit code. */

import { connect, type Client, type ConnectOptions } from "../../client/index.ts";
import { toPrintable, toPrintableLines } from "../../protocol/index.ts";
import type { Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { explainError, type Phase } from "../explain-error.ts";
import { watchInterruption } from "../interruption.ts";
import { reportProblem } from "../report-problem.ts";
import type { Spinner } from "../spinner.ts";
import { showTranscript } from "../transcript/show-transcript.ts";
import { readConnectOptions, readTarget, type ServerFlags } from "./flags.ts";

export interface Visit {
  readonly client: Client;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly spinner: Spinner;
}

/**
 * Gives how it ended: what `use` gives, or what the error that it threw amounts to.
 *
 * @param example the command line up to `--`, for the hint when the rest is missing
 */
export async function withServer(
  { screen, serverWords }: Run,
  flags: ServerFlags,
  example: string,
  use: (visit: Visit) => Promise<Exit>,
): Promise<Exit> {
  const target = readTarget(serverWords, flags, example, (text) => screen.note(text));
  using interruption = watchInterruption();
  using spinner = screen.spin(
    "command" in target ? `starting ${toPrintable(target.command, 60)}` : "connecting",
  );
  const { signal } = interruption;
  const options: ConnectOptions = {
    ...readConnectOptions(flags),
    ...(flags.verbose === true ? { onLine: showTranscript(screen) } : {}),
    signal,
  };
  let phase: Phase = "connecting";
  let client: Client | undefined;
  try {
    client = await connect(target, options);
    phase = "connected";
    spinner.say("waiting for the server");
    return await use({ client, signal, spinner });
  } catch (thrown) {
    const explanation = explainError(thrown, phase);
    if (explanation === undefined) throw thrown;
    if (explanation.exit !== "interrupted") reportProblem(screen, explanation);
    return explanation.exit;
  } finally {
    spinner.say("ending the server");
    await client?.close();
    if (flags.verbose === true && client !== undefined) {
      const { stderrTail } = client.report();
      if (stderrTail !== "")
        screen.note(`stderr of the server:\n${toPrintableLines(stderrTail.trimEnd())}`);
    }
  }
}
