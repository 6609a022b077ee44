/** `genkan audit`: who did what, and the proof that nobody has changed the record of it. */

import { Argument } from "commander";
import type { AuditRecord } from "../../gate/index.ts";
import { escapeJson, UsageError } from "../../protocol/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { addStateFlags, type StateFlags } from "../gate/state-flags.ts";
import { formatTime, parseSince } from "../gate/time.ts";
import { withState } from "../gate/with-state.ts";
import { reportProblem } from "../report-problem.ts";

interface AuditFlags extends StateFlags {
  readonly task?: string;
  readonly since?: number;
  readonly writes?: boolean;
  readonly expectedHead?: string;
  readonly json?: boolean;
}

type Act = "show" | "verify" | "head";

export const audit: CommandDefinition = {
  name: "audit",
  summary:
    "Prints the audit log in the order of time, proves its chain (verify), or gives its head to be kept elsewhere (head).",
  takesServer: false,
  exits: ["ok", "usage", "state", "broken"],
  define(command, run) {
    addStateFlags(
      command
        .addArgument(
          new Argument("[act]", "what to do with it")
            .choices(["show", "verify", "head"])
            .default("show"),
        )
        .option("--task <id>", "only records of this task")
        .option(
          "--since <time>",
          "only records from then on: ISO 8601, or 90s, 10m, 2h, 7d ago",
          (text) => parseSince(text, Date.now()),
        )
        .option("--writes", "only calls of tools with a side effect")
        .option(
          "--expected-head <head>",
          "verify: a head that was kept elsewhere, so that a log that was cut off is found out",
        )
        .option("--json", "print one JSON object a line"),
    )
      .addHelpText(
        "after",
        '\nExamples:\n  genkan audit --task refund-7 --writes\n  genkan audit head > head.txt\n  genkan audit verify --expected-head "$(cat head.txt)"',
      )
      .action(async (act: Act, flags: AuditFlags) => {
        checkFlags(act, flags);
        run.end(
          await (act === "show"
            ? showAudit(run, flags)
            : act === "verify"
              ? verify(run, flags)
              : showHead(run, flags)),
        );
      });
  },
};

/** An option that would do nothing is a mistake. */
function checkFlags(act: Act, { task, since, writes, expectedHead }: AuditFlags): void {
  const odd =
    act === "show"
      ? { "--expected-head": expectedHead }
      : {
          "--task": task,
          "--since": since,
          "--writes": writes,
          ...(act === "head" && { "--expected-head": expectedHead }),
        };
  const [name] = Object.entries(odd).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  const other = act === "show" || name === "--expected-head" ? "verify" : "show";
  throw new UsageError(
    "odd-option",
    `Cannot run "genkan audit ${act}": ${name} is given, expected it with ${other}`,
    { hint: `genkan audit ${other} ${name} …` },
  );
}

function showAudit(run: Run, { json = false, ...flags }: AuditFlags): Promise<Exit> {
  const { screen } = run;
  return withState(run, flags, async ({ store }): Promise<Exit> => {
    const { formatAuditRecordAt, readAudit } = await import("../../gate/index.ts");
    const { task, since, writes } = flags;
    const filter = {
      ...(task !== undefined && { task }),
      ...(since !== undefined && { since }),
      ...(writes !== undefined && { writes }),
    };
    let count = 0;
    for (const record of readAudit(store, filter)) {
      count++;
      screen.print(json ? formatJson(record) : formatAuditRecordAt(record, formatTime(record.at)));
    }
    if (count === 0) screen.note("There are no such records");
    return "ok";
  });
}

/** The record as it was written, its time in ISO 8601, in UTC, and its hash. */
function formatJson({ at, hash, body }: AuditRecord): string {
  return escapeJson(JSON.stringify({ ...body, at: new Date(at).toISOString(), hash }));
}

function verify(run: Run, { json = false, ...flags }: AuditFlags): Promise<Exit> {
  const { screen } = run;
  return withState(run, flags, async (desk): Promise<Exit> => {
    const { formatAuditHead } = await import("../../gate/index.ts");
    const verdict = desk.verifyAudit(flags.expectedHead);
    if (json) screen.print(JSON.stringify(verdict));
    if (!verdict.ok) {
      reportProblem(screen, {
        text: verdict.reason,
        hint: `${verdict.records} records before it are proven`,
      });
      return "broken";
    }
    const { records, first, head, unproven } = verdict;
    const from = first > 1 ? `, from number ${first} on` : "";
    const end = head === undefined ? "" : `; the head is ${formatAuditHead(head)}`;
    if (!json) screen.print(`The chain holds: ${records} records${from}${end}`);
    if (unproven !== undefined)
      screen.note(`Records up to ${first - 1} were not proven: ${unproven}`);
    return "ok";
  });
}

function showHead(run: Run, { json = false, ...flags }: AuditFlags): Promise<Exit> {
  const { screen } = run;
  return withState(run, flags, async ({ log }): Promise<Exit> => {
    const { formatAuditHead } = await import("../../gate/index.ts");
    const head = log.head();
    if (json) screen.print(JSON.stringify(head ?? null));
    else if (head === undefined) screen.note("The audit log has no record yet");
    else screen.print(formatAuditHead(head));
    return "ok";
  });
}
