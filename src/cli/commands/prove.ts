/** `genkan prove`: runs a command, and proves that it has written nothing to a database. */

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { toPrintable, UsageError } from "../../protocol/index.ts";
import type { Receipt, RunReport, Tracing } from "../../sqlite/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { readVersion } from "../package.ts";
import { reportReceiptErrors } from "../receipt/report-receipt-errors.ts";
import { checkTracer } from "../receipt/check-tracer.ts";
import { runCommand } from "../receipt/run-command.ts";
import { showReceipt } from "../receipt/show-receipt.ts";
import { showVerification } from "../receipt/show-verification.ts";
import { reportProblem } from "../report-problem.ts";
import type { Paint } from "../screen.ts";
import { showJson } from "../server/show-result.ts";

interface ProveFlags {
  readonly receipt?: string;
  readonly json?: boolean;
  readonly except: readonly string[];
  readonly trace?: boolean;
  readonly verify?: string;
}

export const prove: CommandDefinition = {
  name: "prove",
  summary:
    "Runs any command and proves by a receipt that it wrote nothing to a database; checks a receipt later.",
  takesServer: true,
  exits: ["ok", "changed", "usage", "broken", "commandFailed", "bug", "output", "interrupted"],
  define(command, run) {
    command
      .usage("[options] [database]")
      .argument("[database]", "an SQLite file; with --verify, where it is now, if it was moved")
      .allowExcessArguments() // refused below, with what to type
      .option("--receipt <file>", "write the receipt there, as JSON: begun before the command runs")
      .option(
        "--json",
        "print the receipt as JSON on stdout; what the command prints goes to stderr",
      )
      .option(
        "--except <path>",
        "what may change in the database's folder; may be given several times",
        (path: string, paths: readonly string[]): readonly string[] => [...paths, path],
        [],
      )
      .option("--trace", "also tell which files the command itself touched; needs strace")
      .option("--verify <receipt>", "check a receipt, and the database as it is now against it")
      .addHelpText("after", `\n${explanation}`)
      .action(async (database: string | undefined, flags: ProveFlags) => {
        refuseExcess(command.args, run.serverWords);
        run.end(
          await reportReceiptErrors(run, () =>
            flags.verify === undefined
              ? proveCommand(run, database, flags)
              : verifyFile(run, flags.verify, database, flags),
          ),
        );
      });
  },
};

const explanation = `The command has this terminal and its own streams; the receipt is printed on stderr when it has ended. Its words are
written into the receipt, so no secret should be among them. Its own exit code is in the receipt too: prove ends with 1
where something changed, else with 8 where the command did not end with 0. A path in a receipt counts from the root; for a
database that was moved, --verify compares the bytes alone.

What is made in the database's folder counts as a change, and so does the state folder that genkan serve makes beside its
configuration: --except it, or keep it elsewhere (state: in genkan.yaml).

Examples:
  genkan prove shop.db --except .genkan -- genkan call find_orders '{"customer":"a"}' -- genkan serve
  genkan prove shop.db --receipt receipt.json -- ./nightly-report.sh
  genkan prove --verify receipt.json
  genkan prove --verify receipt.json /backup/shop.db`;

/** Without `--`, the words of the command are taken for more databases. */
function refuseExcess(
  [database = "", ...rest]: readonly string[],
  serverWords: readonly string[],
): void {
  if (rest.length === 0) return;
  if (serverWords.length > 0) throw refuse("more than one database is named", "one before --");
  const words = [database, "--", ...rest].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const typed = toPrintable(`genkan prove ${words.join(" ")}`, 300);
  throw refuse("no -- stands before the command", "one", typed);
}

async function proveCommand(
  { screen, serverWords: words }: Run,
  database: string | undefined,
  { receipt: file, json = false, except, trace = false }: ProveFlags,
): Promise<Exit> {
  if (database === undefined) throw refuse("no database is named", "one before --");
  if (words.length === 0) throw refuse("no command is given", "one after --");
  if (trace) checkTracer(words);
  for (const path of except)
    if (!existsSync(path))
      screen.note(
        `There is nothing at ${toPrintable(JSON.stringify(path), 500)} now: --except lets it be made`,
      );
  const { loadReceipts } = await import("../../sqlite/index.ts");
  const { openReceipt, startTracing } = await loadReceipts();
  using tracing = trace ? startTracing(tmpdir()) : undefined;
  await using open = await openReceipt({
    databases: [database],
    words,
    folder: process.cwd(),
    genkan: readVersion(),
    file,
    except,
    elsewhere: listScratchFolders(),
    isCommand: true,
  });
  const { report, isInterrupted } = await observe(words, tracing, json ? "stderr" : "stdout");
  const receipt = await open.finish(report);
  const paint: Paint = (style, text) => screen.paint(style, text, "note");
  if (report.ending.error !== null)
    reportProblem(screen, {
      text: `Cannot run "${toPrintable(words[0] ?? "", 200)}": ${report.ending.error}, expected a command`,
      hint: undefined,
    });
  if (json) screen.print(showJson(receipt));
  else screen.note(showReceipt(receipt, paint));
  await open.keep(receipt);
  return tellExit(receipt, isInterrupted);
}

/** Runs the command, and tells what can be known of it from outside. */
async function observe(
  words: readonly string[],
  tracing: Tracing | undefined,
  output: "stdout" | "stderr",
): Promise<{ readonly report: RunReport; readonly isInterrupted: boolean }> {
  const { loadReceipts } = await import("../../sqlite/index.ts");
  const { awaitLeftovers, markerName, readWrittenBytes, receiptLimits } = await loadReceipts();
  const marker = randomUUID();
  const writtenBefore = readWrittenBytes();
  const { ending, isInterrupted } = await runCommand({
    words: [...(tracing?.prefix ?? []), ...words],
    environment: { ...process.env, [markerName]: marker },
    output,
  });
  const writtenAfter = readWrittenBytes();
  const left = await awaitLeftovers(marker, receiptLimits.leftoverMs);
  const stillRunning = left?.filter((name) => tracing === undefined || name !== "strace");
  const writtenBytes =
    writtenBefore === undefined || writtenAfter === undefined
      ? undefined
      : writtenAfter - writtenBefore;
  const report = { ending, stillRunning, writtenBytes, trace: tracing?.read(receiptLimits) };
  return { report, isInterrupted };
}

/** Where programs leave what they need for a moment: here, and where Node and SQLite look for such a place. */
function listScratchFolders(): readonly string[] {
  const { SQLITE_TMPDIR, TMPDIR = "/var/tmp" } = process.env;
  return [process.cwd(), tmpdir(), TMPDIR, ...(SQLITE_TMPDIR === undefined ? [] : [SQLITE_TMPDIR])];
}

function tellExit({ verdict, ending }: Receipt, isInterrupted: boolean): Exit {
  if (verdict !== "unchanged") return "changed";
  if (isInterrupted) return "interrupted";
  return ending?.code === 0 ? "ok" : "commandFailed";
}

async function verifyFile(
  { screen, serverWords }: Run,
  file: string,
  moved: string | undefined,
  flags: ProveFlags,
): Promise<Exit> {
  const odd = [
    ...(flags.receipt === undefined ? [] : ["--receipt"]),
    ...(flags.except.length === 0 ? [] : ["--except"]),
    ...(flags.trace === undefined ? [] : ["--trace"]),
    ...(serverWords.length > 0 ? ["a command"] : []),
  ];
  if (odd.length > 0) throw refuse(`${odd.join(" and ")} stands beside --verify`, "none");
  const { loadReceipts } = await import("../../sqlite/index.ts");
  const { readReceipt, verifyReceipt } = await loadReceipts();
  const receipt = await readReceipt(file);
  const differences = await verifyReceipt(receipt, moved);
  const isSame = differences.length === 0;
  const isProven = isSame && receipt.verdict === "unchanged";
  if (flags.json === true)
    screen.print(
      showJson({ verdict: receipt.verdict, isSame, differences, digest: receipt.digest }),
    );
  else
    screen.print(
      showVerification({ receipt, moved, differences }, (style, text) =>
        screen.paint(style, text, "print"),
      ),
    );
  return isProven ? "ok" : "changed";
}

function refuse(
  what: string,
  expected: string,
  hint = "genkan prove shop.db -- node report.js",
): UsageError {
  return new UsageError("bad-proof", `Cannot run "genkan prove": ${what}, expected ${expected}`, {
    hint,
  });
}
