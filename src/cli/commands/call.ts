/** `genkan call`: calls one tool from a shell. */

import process from "node:process";
import { toPrintable } from "../../protocol/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { addServerFlags, type ServerFlags } from "../server/flags.ts";
import { readArguments } from "../server/read-arguments.ts";
import { showJson, showResult } from "../server/show-result.ts";
import { takeUrl } from "../server/url-words.ts";
import { withServer } from "../server/with-server.ts";

interface CallFlags extends ServerFlags {
  readonly json?: boolean;
}

export const call: CommandDefinition = {
  name: "call",
  summary: "Calls a tool of a server and prints what it gives.",
  takesServer: true,
  exits: ["ok", "usage", "noConnection", "protocol", "toolError", "timeout", "interrupted"],
  define(command, run) {
    addServerFlags(
      command
        .usage("[options] [url] <tool> [json]")
        .argument("<tool>", "the tool's name; genkan tools lists them")
        .argument("[json]", "its arguments, a JSON object; - reads them from stdin")
        .argument("[more]", "with a URL before the tool's name, its arguments")
        .option("--json", "print the whole result as JSON"),
    )
      .addHelpText(
        "after",
        `\nExamples:\n  genkan call count_orders '{"status":"paid"}' -- node server.js\n  genkan call list_items - --json -- npx -y some-server < arguments.json\n  genkan call https://example.com/mcp count_orders '{"status":"paid"}'`,
      )
      .action(
        async (
          first: string,
          second: string | undefined,
          third: string | undefined,
          flags: CallFlags,
        ) => {
          const { words, run: ready } = takeUrl(run, [first, second, third]);
          const [tool, json] = words;
          run.end(await runCall(ready, tool, json, flags));
        },
      );
  },
};

async function runCall(
  run: Run,
  tool: string,
  json: string | undefined,
  flags: CallFlags,
): Promise<Exit> {
  const { screen } = run;
  const example = `genkan call ${toPrintable(tool, 60)}`;
  const args = await readArguments(json, process.stdin, example);
  return withServer(run, flags, example, async ({ client, signal, spinner }) => {
    spinner.say(`waiting for ${toPrintable(tool, 60)}`);
    const result = await client.callTool(tool, args, { signal });
    const text = flags.json === true ? showJson(result) : showResult(result);
    if (text !== "") screen.print(text);
    if (result.isError !== true) return "ok";
    screen.note(
      screen.paint(
        "red",
        `The tool "${toPrintable(tool, 60)}" failed: its result has isError`,
        "note",
      ),
    );
    return "toolError";
  });
}
