/** `genkan check`: says what a configuration comes to, or what is wrong with it and where. */

import process from "node:process";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { formatExplanation, formatTrial } from "../gate/show-explanation.ts";
import { defaultFile } from "../gate/state-flags.ts";
import { toPrintableLines } from "../../protocol/index.ts";
import type { Paint } from "../screen.ts";
import { showJson } from "../server/show-result.ts";

interface CheckFlags {
  readonly schema?: boolean;
  readonly json?: boolean;
}

export const check: CommandDefinition = {
  name: "check",
  summary:
    "Explains a configuration (which tools, which risk, which limits, what may be written where) and tries its examples.",
  takesServer: false,
  exits: ["ok", "usage", "toolError"],
  define(command, run) {
    command
      .argument("[file]", "the configuration", defaultFile)
      .option("--schema", "print the JSON Schema of the configuration instead, for an editor")
      .option("--json", "print the explanation as JSON")
      .action(async (file: string, flags: CheckFlags) =>
        run.end(await checkFile(run, file, flags)),
      );
  },
};

async function checkFile(
  { screen }: Run,
  file: string,
  { schema = false, json = false }: CheckFlags,
): Promise<Exit> {
  const config = await import("../../config/index.ts");
  if (schema) {
    screen.print(showJson(config.makeConfigSchema()));
    return "ok";
  }
  const configuration = config.readConfiguration(file);
  await using doors = await config.openDoors(configuration);
  config.readSecrets(configuration, process.env);
  const explanation = config.explainConfiguration(configuration, doors);
  const warnings = await config.findWarnings(configuration, doors);
  const { tryExamples } = await import("../gate/try-examples.ts");
  const examples = await tryExamples(configuration, doors, (text) =>
    screen.note(toPrintableLines(text)),
  );
  const paint: Paint = (style, text) => screen.paint(style, text, "print");
  screen.print(
    json
      ? showJson({ ...explanation, warnings, examples })
      : [...formatExplanation(explanation, paint), ...formatTrial(warnings, examples, paint)].join(
          "\n",
        ),
  );
  return examples.failures.length === 0 ? "ok" : "toolError";
}
