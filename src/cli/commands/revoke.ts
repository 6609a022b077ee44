/** `genkan revoke`: takes a grant back, or all of a task. */

import { userInfo } from "node:os";
import { UsageError } from "../../protocol/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { formatGrantJson, formatGrants } from "../gate/show-grant.ts";
import { addStateFlags, type StateFlags } from "../gate/state-flags.ts";
import { withState } from "../gate/with-state.ts";

interface RevokeFlags extends StateFlags {
  readonly reason: string;
  readonly json?: boolean;
}

export const revoke: CommandDefinition = {
  name: "revoke",
  summary: "Takes back a grant, or all grants of a task; a call that is running goes on.",
  takesServer: false,
  exits: ["ok", "usage", "state"],
  define(command, run) {
    addStateFlags(
      command
        .argument("<grant|task>", "the grant's id, or the task's")
        .requiredOption("--reason <text>", "why, for the audit log")
        .option("--json", "print each grant as a line of JSON"),
    ).action(async (idOrTask: string, flags: RevokeFlags) =>
      run.end(await revokeGrants(run, idOrTask, flags)),
    );
  },
};

function revokeGrants(run: Run, idOrTask: string, flags: RevokeFlags): Promise<Exit> {
  return withState(run, flags, (desk) => {
    const { reason, json = false } = flags;
    if (reason.trim() === "")
      throw new UsageError(
        "no-reason",
        "Cannot revoke a grant: it has no reason, expected a few words",
      );
    const before = desk.revokeGrants(idOrTask, { by: userInfo().username, reason });
    if (before.length === 0) {
      const what = `Cannot revoke ${JSON.stringify(idOrTask.slice(0, 100))}: no grant that is not revoked has this id or task, expected one of them`;
      throw new UsageError("no-grant", what, { hint: "genkan grants" });
    }
    const now = Date.now();
    const ids = new Set(before.map(({ id }) => id));
    const revoked = desk.grants.list().filter(({ id }) => ids.has(id));
    if (json) for (const one of revoked) run.screen.print(formatGrantJson(one, now));
    else run.screen.print(formatGrants(revoked, now));
    return "ok";
  });
}
