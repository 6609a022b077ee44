/** `genkan tools`: lists what a server can do. */

import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { addServerFlags, type ServerFlags } from "../server/flags.ts";
import { showJson } from "../server/show-result.ts";
import { layOutTools } from "../server/tool-table.ts";
import { withUrl } from "../server/url-words.ts";
import { withServer } from "../server/with-server.ts";

interface ToolsFlags extends ServerFlags {
  readonly json?: boolean;
}

export const tools: CommandDefinition = {
  name: "tools",
  summary: "Lists the tools of a server and the arguments they take.",
  takesServer: true,
  exits: ["ok", "usage", "noConnection", "protocol", "timeout", "interrupted"],
  define(command, run) {
    addServerFlags(
      command
        .argument("[url]", "where the server listens, instead of its command")
        .option("--json", "print the whole list as a JSON array"),
    )
      .addHelpText(
        "after",
        "\nExamples:\n  genkan tools -- node server.js\n  genkan tools --env TOKEN=abc --json -- npx -y some-server\n  genkan tools https://example.com/mcp --login",
      )
      .action(async (url: string | undefined, flags: ToolsFlags) =>
        run.end(await runTools(withUrl(run, url), flags)),
      );
  },
};

function runTools(run: Run, flags: ToolsFlags): Promise<Exit> {
  const { screen } = run;
  return withServer(run, flags, "genkan tools", async ({ client, signal }) => {
    const list = await client.listTools({ signal });
    if (flags.json === true) screen.print(showJson(list));
    else if (list.length > 0)
      screen.print(layOutTools(list, (style, text) => screen.paint(style, text, "print")));
    else screen.note("The server has no tools");
    return "ok";
  });
}
