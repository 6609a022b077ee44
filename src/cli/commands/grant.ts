/** `genkan grant`: a person allows some writes of one task. It works on the state folder, out of any model's reach. */

import { userInfo } from "node:os";
import { Option } from "commander";
import type { StateDesk } from "../../gate/index.ts";
import { UsageError } from "../../protocol/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { checkTools } from "../gate/check-tools.ts";
import { formatGrantJson, formatGrants } from "../gate/show-grant.ts";
import { addStateFlags, findConfig, type StateFlags } from "../gate/state-flags.ts";
import { parseDuration } from "../gate/time.ts";
import { withState } from "../gate/with-state.ts";

interface GrantFlags extends StateFlags {
  readonly tools: readonly string[];
  readonly origin?: readonly string[];
  readonly principal?: string;
  readonly uses: number;
  readonly for: number;
  readonly reason: string;
  readonly json?: boolean;
}

export const grant: CommandDefinition = {
  name: "grant",
  summary: "Allows some writes of one task, for a while and so many times.",
  takesServer: false,
  exits: ["ok", "usage", "state"],
  define(command, run) {
    addStateFlags(
      command
        .argument("<task>", "the task_id of the calls")
        .requiredOption(
          "--tools <names>",
          "the tools that may write, separated by commas",
          readTools,
        )
        .option(
          "--origin <origin>",
          "where they may act, such as https://shop.example; may be given again (default: anywhere)",
          addOrigin,
        )
        .option("--principal <name>", "who may use it (default: whoever works on the task)")
        .option("--uses <count>", "how many calls it allows", readCount, 1)
        .addOption(
          new Option("--for <duration>", "how long it holds: 90s, 10m, 2h, 7d")
            .argParser(parseDuration)
            .default(600_000, "10m"),
        )
        .requiredOption("--reason <text>", "why, for the audit log")
        .option("--json", "print the grant as JSON"),
    )
      .addHelpText(
        "after",
        '\nExample:\n  genkan grant refund-7 --tools cancel_order --uses 1 --for 10m --reason "the customer called"',
      )
      .action(async (task: string, flags: GrantFlags) =>
        run.end(await giveGrant(run, task, flags)),
      );
  },
};

async function giveGrant(run: Run, task: string, flags: GrantFlags): Promise<Exit> {
  const { tools, origin = [], principal, uses, for: forMs, reason, json = false } = flags;
  const { idPattern } = await import("../../gate/index.ts");
  if (!idPattern.test(task)) {
    const what = `Cannot give a grant for "${task}": it is no task_id, expected up to 100 of A-Z a-z 0-9 _ . : -, beginning with a letter or a digit`;
    throw new UsageError("bad-task", what);
  }
  const config = findConfig(flags);
  const unchecked = await checkTools(config, tools);
  const give = (desk: StateDesk): Exit => {
    const given = desk.giveGrant({
      task,
      tools,
      origins: origin,
      ...(principal !== undefined && { principal }),
      uses,
      forMs,
      reason,
      givenBy: userInfo().username,
    });
    run.screen.print(
      json ? formatGrantJson(given, given.givenAt) : formatGrants([given], given.givenAt),
    );
    if (unchecked !== undefined) run.screen.note(unchecked);
    if (!json) run.screen.note(`  revoke it: genkan revoke ${given.id} --reason "…"`);
    return "ok";
  };
  return withState(run, flags, give, { isMade: config !== undefined && flags.state === undefined });
}

function readTools(text: string): readonly string[] {
  const tools = text.split(",").map((name) => name.trim());
  const odd = tools.find((name) => !/^[\w./:-]+$/.test(name));
  if (odd === undefined) return [...new Set(tools)];
  const what = `Cannot give a grant for the tools ${JSON.stringify(text)}: ${JSON.stringify(odd)} is no name, expected names separated by commas`;
  throw new UsageError("bad-tools", what, { hint: "--tools cancel_order,send_mail" });
}

function addOrigin(text: string, before: readonly string[] = []): readonly string[] {
  const origin = URL.canParse(text) ? new URL(text).origin : undefined;
  if (origin === text) return [...before, text];
  const what = `Cannot give a grant for the origin ${JSON.stringify(text)}: it is none, expected a scheme, a host and perhaps a port`;
  const isWeb = origin !== undefined && origin !== "null";
  throw new UsageError("bad-origin", what, {
    hint: `--origin ${isWeb ? origin : "https://shop.example"}`,
  });
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(
    "bad-count",
    `Cannot give ${JSON.stringify(text)} uses, expected a whole number of at least 1`,
    { hint: "--uses 5" },
  );
}
