/** `genkan aio`: serves what runs of aio-probe saw of AI Overviews, and makes the databases it serves. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { escapeJson, expectOneOf, toPrintable, UsageError } from "../../protocol/index.ts";
import { addAioFlags, hintAtDatabase, toWords, type AioFlags } from "../aio/aio-flags.ts";
import { sayPrintably } from "../aio/say-printably.ts";
import type { ImportFlags } from "../aio/run-import.ts";
import type { CommandDefinition, Run } from "../command.ts";
import { describeExitCodes, type Exit } from "../exit-codes.ts";
import { reportStateErrors } from "../gate/with-state.ts";
import { reportReceiptErrors } from "../receipt/report-receipt-errors.ts";

export const aio: CommandDefinition = {
  name: "aio",
  summary:
    "Serves a database of aio-probe to agents, read-only, over stdio; makes a public one (sample), or one from saved result pages (import).",
  takesServer: false,
  exits: ["ok", "changed", "usage", "state", "output"],
  define(command, run) {
    addAioFlags(command)
      .helpCommand(false)
      .enablePositionalOptions() // --buckets is another thing to an import
      .addHelpText(
        "after",
        "\nExamples:\n  genkan aio sample sample.db\n  genkan aio --db sample.db\n  genkan aio --db sample.db --print-config vscode > .vscode/mcp.json",
      )
      .usage("[options] [command]")
      .argument("[words...]")
      .action(async ([word]: readonly string[], flags: AioFlags) => {
        if (word !== undefined) throw refuseWord(word, command);
        run.end(await sayPrintably(() => serveOrPrint(run, flags)));
      });
    addSample(command, run);
    addImport(command, run);
  },
};

/** A word that is no command below this one would be taken for one too many; most often it is the database. */
function refuseWord(word: string, { commands }: Command): UsageError {
  const names = commands.map((each) => each.name());
  const what = `Cannot run "genkan aio ${toPrintable(word, 60)}": there is no such command, ${expectOneOf(word, names)}`;
  const isFile = existsSync(word) || /[./\\]/.test(word);
  return new UsageError("unknown-command", what, {
    hint: isFile ? hintAtDatabase(word) : "genkan aio --help",
  });
}

async function serveOrPrint(run: Run, flags: AioFlags): Promise<Exit> {
  const { db, printConfig: host } = flags;
  if (db === undefined)
    throw new UsageError(
      "no-database",
      "Cannot serve nothing: no database is named, expected --db",
      {
        hint: "genkan aio sample sample.db && genkan aio --db sample.db",
      },
    );
  if (host === undefined) {
    const { serveAio } = await import("../aio/serve-aio.ts");
    return await reportReceiptErrors(run, () => reportStateErrors(run, () => serveAio(db, flags)));
  }
  const { printConfig } = await import("../hosts/print-config.ts");
  const { findObstacles } = await import("../aio/look-at-database.ts");
  return printConfig(run.screen, {
    host,
    server: "aio-probe",
    words: toWords(db, flags),
    file: resolve(db),
    remarks: await findObstacles(db, flags),
  });
}

interface SampleFlags {
  readonly runs: number;
  readonly keywords: number;
  readonly json?: boolean;
}

function addSample(parent: Command, run: Run): void {
  addCommand(parent, "sample", "Makes a public database, the same for the same numbers.")
    .argument("<path>", "where; nothing is overwritten")
    .option("--runs <count>", "how many runs, 1 to 1000", readCount, 8)
    .option("--keywords <count>", "how many keywords, 1 to 100000", readCount, 200)
    .option("--json", "print what was made as JSON")
    .addHelpText("after", `\n${describeExitCodes(["ok", "usage"])}`)
    .action(async (path: string, { runs, keywords, json = false }: SampleFlags) => {
      refuseFlags(parent, "sample");
      const { createSample } = await import("../../aio/index.ts");
      const made = await sayPrintably(() => createSample(path, { runs, keywords }));
      const { observations } = made;
      const text = `Made ${toPrintable(path, 500)}: ${runs} runs, ${keywords} keywords, ${observations} observations`;
      run.screen.print(json ? JSON.stringify(made) : text);
    });
}

function addImport(parent: Command, run: Run): void {
  const summary =
    "Builds or extends a database from saved result pages of SerpApi or DataForSEO; one import is one run.";
  addCommand(parent, "import", summary)
    .argument("<path>", "the database; it is made when it is not there")
    .argument("<files...>", "saved pages, JSON; what was imported before is skipped")
    .option("--bucket <name>", "the bucket of every keyword that --buckets does not name")
    .option("--buckets <file>", "a CSV or TSV file of keywords and their buckets")
    .option("--own-buckets", "take buckets that are nearly one of those by default, as they are")
    .option(
      "--run <id>",
      "extend this run, for instance by pages that failed at first (default: a new run)",
      readCount,
    )
    .option("--run-note <text>", "a note for the new run")
    .option("--json", "print what became of the files as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  genkan aio import mine.db results/*.json --buckets buckets.csv\n  genkan aio import mine.db retried/*.json --run 3",
    )
    .addHelpText("after", `\n${describeExitCodes(["ok", "usage", "nothing", "faulty"])}`)
    .action(async (path: string, files: readonly string[], flags: ImportFlags) => {
      refuseFlags(parent, "import");
      const { runImport } = await import("../aio/run-import.ts");
      run.end(await sayPrintably(() => runImport(run.screen, path, files, flags)));
    });
}

function addCommand(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpOption("--help", "print this help");
}

/** An option that would do nothing is a mistake. */
function refuseFlags(parent: Command, name: string): void {
  const odd = parent.options.find(
    (option) => parent.getOptionValue(option.attributeName()) !== undefined,
  );
  if (odd === undefined) return;
  const what = `Cannot run "genkan aio ${name}": ${odd.long} stands before ${name}, expected it where a database is served`;
  throw new UsageError("odd-option", what, { hint: `genkan aio ${name} --help` });
}

function readCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const what = `Cannot take ${escapeJson(JSON.stringify(text.slice(0, 60)))} for a number: it has another form, expected digits`;
  throw new UsageError("bad-number", what);
}
