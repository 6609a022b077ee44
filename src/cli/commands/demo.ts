/** `genkan demo`: one whole session with the shop, shown message by message, and a verdict on how the server behaved. */

import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import type { RawLine } from "../../transport/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import { findShop } from "../demo/shop.ts";
import { steps } from "../demo/steps.ts";
import { judge } from "../demo/verdict.ts";
import { openRawView, openReadableView, type View } from "../demo/view.ts";
import type { Exit } from "../exit-codes.ts";
import { readLine, type ReadLine } from "../transcript/read-line.ts";
import { addEraFlag, readConnectOptions, type Era } from "../server/flags.ts";
import { visit, type Visit } from "../server/visit.ts";

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
  const removeAtOnce = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", removeAtOnce); // a second Ctrl-C waits for nothing: see `watchInterruption()`
  const lines: ReadLine[] = [];
  const onLine = (line: RawLine): void => {
    const read = readLine(line);
    lines.push(read);
    view.line(line, read);
  };
  try {
    view.title("Start the server, and ask which revisions of the protocol it speaks");
    return await visit(screen, {
      target: findShop(folder),
      options: { ...readConnectOptions({ era }), onLine },
      label: "starting the shop",
      use: (here) => showSession(here, view, lines),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
    process.off("exit", removeAtOnce);
  }
}

async function showSession(
  { client, signal, spinner }: Visit,
  view: View,
  lines: readonly ReadLine[],
): Promise<Exit> {
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
}
