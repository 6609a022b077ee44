/** Every command, in the order of the help text. A command is loaded when it is asked for, so that no start pays for another. */

import type { CommandDefinition } from "./command.ts";

type Load = () => Promise<CommandDefinition>;

export const commandList: Readonly<Record<string, Load>> = {
  demo: async () => (await import("./commands/demo.ts")).demo,
  call: async () => (await import("./commands/call.ts")).call,
  tools: async () => (await import("./commands/tools.ts")).tools,
  check: async () => (await import("./commands/check.ts")).check,
  serve: async () => (await import("./commands/serve.ts")).serve,
  grant: async () => (await import("./commands/grant.ts")).grant,
  grants: async () => (await import("./commands/grants.ts")).grants,
  revoke: async () => (await import("./commands/revoke.ts")).revoke,
  trace: async () => (await import("./commands/trace.ts")).trace,
  replay: async () => (await import("./commands/replay.ts")).replay,
  audit: async () => (await import("./commands/audit.ts")).audit,
  prove: async () => (await import("./commands/prove.ts")).prove,
  aio: async () => (await import("./commands/aio.ts")).aio,
};

/** Loads the command of that name, or all of them where there is none: for the help text, and to suggest another. */
export function loadCommands(name: string | undefined): Promise<readonly CommandDefinition[]> {
  const known =
    name !== undefined && Object.hasOwn(commandList, name) ? commandList[name] : undefined;
  return Promise.all(
    (known === undefined ? Object.values(commandList) : [known]).map((load) => load()),
  );
}
