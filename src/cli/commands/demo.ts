/** `genkan demo`: one whole session with the shop, shown message by message, and a verdict on how the server behaved. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { connect } from "../../client/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import { findShop } from "../demo/shop.ts";
import { steps } from "../demo/steps.ts";
import { judge } from "../demo/verdict.ts";
import { openRawView, openReadableView } from "../demo/view.ts";
import type { Exit } from "../exit-codes.ts";
import { explainError, type Phase } from "../explain-error.ts";
import { watchInterruption } from "../interruption.ts";
import { reportProblem } from "../report-problem.ts";
import { readLine, type ReadLine } from "../transcript/read-line.ts";
import { addEraFlag, readConnectOptions, type Era } from "../server/flags.ts";

interface DemoFlags {
  readonly era: Era;
  readonly raw?: boolean;
}

export const demo: CommandDefinition = {
  name: "demo",
  summary:
    "Shows one whole MCP session with a small shop, message by message, and judges how the server behaved.",
  takesServer: false,
  exits: ["ok", "usage", "noConnection", "protocol", "interrupted"],
  define(command, run) {
    addEraFlag(command)
      .option(
        "--raw",
        "print the exact bytes of every line, after → (to the server) or ← (from it), and all else on stderr",
      )
      .action(async (flags: DemoFlags) => run.end(await runDemo(run, flags)));
  },
};

async function runDemo({ screen }: Run, { era, raw = false }: DemoFlags): Promise<Exit> {
  const view = raw ? openRawView(screen) : openReadableView(screen);
  const folder = await mkdtemp(join(tmpdir(), "genkan-demo-"));
  using interruption = watchInterruption();
  using spinner = screen.spin("starting the shop");
  const { signal } = interruption;
  const lines: ReadLine[] = [];
  let phase: Phase = "connecting";
  try {
    view.title("Start the server, and ask which revisions of the protocol it speaks");
    await using client = await connect(findShop(folder), {
      ...readConnectOptions({ era }),
      signal,
      onLine: (line) => {
        const read = readLine(line);
        lines.push(read);
        view.line(line, read);
      },
    });
    phase = "connected";
    await setImmediate();
    const complaints: string[] = [];
    for (const { title, run } of steps) {
      view.title(title);
      const complaint = await run(client, signal);
      await setImmediate(); // what was sent leaves in this turn of the loop
      if (complaint !== undefined) complaints.push(complaint);
    }
    view.title("Close its stdin: nothing more comes, and it ends");
    spinner.say("ending the shop");
    const close = await client.close();
    const { stderrTail } = client.report();
    const findings = judge({ lines, complaints, stderrTail, close });
    view.verdict(findings, stderrTail);
    return findings.every(({ isGood }) => isGood) ? "ok" : "protocol";
  } catch (thrown) {
    const explanation = explainError(thrown, phase);
    if (explanation === undefined) throw thrown;
    if (explanation.exit !== "interrupted") reportProblem(screen, explanation);
    return explanation.exit;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
