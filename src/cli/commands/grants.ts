/** `genkan grants`: which writes are allowed now. */

import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { formatGrantJson, formatGrants, readStanding } from "../gate/show-grant.ts";
import { addStateFlags, type StateFlags } from "../gate/state-flags.ts";
import { withState } from "../gate/with-state.ts";

interface GrantsFlags extends StateFlags {
  readonly task?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export const grants: CommandDefinition = {
  name: "grants",
  summary: "Lists the grants that hold now, or all there ever were.",
  takesServer: false,
  exits: ["ok", "usage", "state"],
  define(command, run) {
    addStateFlags(
      command
        .option("--task <id>", "only those of this task")
        .option("--all", "also those that are used up, expired or revoked")
        .option("--json", "print one JSON object a line"),
    ).action(async (flags: GrantsFlags) => run.end(await listGrants(run, flags)));
  },
};

function listGrants(run: Run, flags: GrantsFlags): Promise<Exit> {
  const { screen } = run;
  return withState(run, flags, (desk) => {
    const now = Date.now();
    const list = desk.grants
      .list(flags.task)
      .filter((one) => flags.all === true || readStanding(one, now) === "holds");
    if (flags.json === true) for (const one of list) screen.print(formatGrantJson(one, now));
    else if (list.length > 0) screen.print(formatGrants(list, now));
    else
      screen.note(
        flags.all === true ? "There are no grants" : "No grant holds now; --all lists the others",
      );
    return "ok";
  });
}
