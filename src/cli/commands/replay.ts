/** `genkan replay`: runs a call that failed again, and shows what is otherwise. */

import { existsSync } from "node:fs";
import process from "node:process";
import { connect } from "../../client/index.ts";
import type { Configuration } from "../../config/index.ts";
import type { Envelope, ReplayCall } from "../../gate/index.ts";
import { toPrintable, toPrintableLines } from "../../protocol/index.ts";
import { serve, type Server } from "../../server/index.ts";
import { createMemoryPair } from "../../transport/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { defaultFile, findStateDir, keepsNoState } from "../gate/state-flags.ts";
import { reportStateErrors } from "../gate/with-state.ts";
import { watchInterruption } from "../interruption.ts";
import { reportProblem } from "../report-problem.ts";
import { showJson } from "../server/show-result.ts";

interface ReplayFlags {
  readonly config?: string;
  readonly state?: string;
  readonly json?: boolean;
}

export const replay: CommandDefinition = {
  name: "replay",
  summary:
    "Runs a call that failed again, against the same doors or others, and shows both traces side by side.",
  takesServer: false,
  exits: ["ok", "usage", "toolError", "state", "interrupted"],
  define(command, run) {
    command
      .argument("<call_id|trace_id>", "the call; genkan trace --failed lists them")
      .option(
        "--config <file>",
        `the configuration whose doors it goes to (default: ${defaultFile})`,
      )
      .option(
        "--state <folder>",
        `the state that has the trace (default: that of ${defaultFile} here, or else that of --config)`,
      )
      .option("--json", "print the comparison as JSON")
      .addHelpText(
        "after",
        "\nIt is a new call with a new call_id: a write needs a grant of its task again.",
      )
      .action(async (id: string, flags: ReplayFlags) =>
        run.end(await reportStateErrors(run, () => replayCall(run, id, flags))),
      );
  },
};

async function replayCall(
  { screen }: Run,
  id: string,
  { config = defaultFile, state, json = false }: ReplayFlags,
): Promise<Exit> {
  const { readConfiguration } = await import("../../config/index.ts");
  const { formatComparison, openStateDesk, replayTrace } = await import("../../gate/index.ts");
  using interruption = watchInterruption();
  const configuration = readConfiguration(config);
  const { stateDir } = configuration;
  if (stateDir === undefined) throw keepsNoState(config); // the new call could not be told from the old one
  const home =
    state === undefined && !existsSync(defaultFile)
      ? stateDir
      : await findStateDir(state === undefined ? {} : { state });
  using desk = openStateDesk(home);
  const { server, callAs } = await openDoors(configuration, interruption.signal, (text) =>
    screen.note(toPrintableLines(text)),
  );
  await using closing = new AsyncDisposableStack();
  closing.use(server);
  using again = openStateDesk(stateDir);
  const { envelope, comparison } = await replayTrace(id, {
    traces: desk.traces,
    again: again.traces,
    call: callAs,
  });
  if (interruption.signal.aborted) return "interrupted";
  screen.print(json ? showJson({ envelope, ...comparison }) : formatComparison(comparison));
  if (envelope.ok) return "ok";
  const text = `It failed again: ${envelope.code}: ${toPrintable(envelope.message, 500)}`;
  reportProblem(screen, { text, hint: toPrintable(envelope.hint, 500) });
  return "toolError";
}

interface Doors {
  readonly server: Server;
  readonly callAs: (call: ReplayCall) => Promise<Envelope>;
}

async function openDoors(
  configuration: Configuration,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<Doors> {
  const { openConfigured } = await import("../../config/index.ts");
  const { isEnvelope, resolveLimits } = await import("../../gate/index.ts");
  let caller = "";
  const { server } = await openConfigured(configuration, {
    environment: process.env,
    report,
    principal: () => caller,
  });
  const { maxDeadlineMs, queueWaitMs } = resolveLimits(configuration.settings.limits);
  const timeoutMs = Math.min(maxDeadlineMs + queueWaitMs + 10_000, longestDelay);
  const callAs = async ({ tool, args, principal }: ReplayCall): Promise<Envelope> => {
    caller = principal;
    const [near, far] = await createMemoryPair();
    void serve(server, far);
    await using client = await connect({ transport: near }, {});
    const { structuredContent } = await client.callTool(tool, args, { signal, timeoutMs });
    if (isEnvelope(structuredContent)) return structuredContent;
    throw new Error(`The tool "${tool}" gave no envelope`); // the server is ours
  };
  return { server, callAs };
}

/** What Node's timers take. */
const longestDelay = 2_147_483_647;
