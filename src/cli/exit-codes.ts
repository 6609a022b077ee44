/** The exit codes of every command, in one table: scripts rely on them. */

export const exitCodes = {
  ok: { code: 0, meaning: "done" },
  usage: { code: 1, meaning: "the command line is wrong" },
  changed: {
    code: 1,
    meaning: "something was written to the database or its folder, or nothing was proven",
  },
  nothing: { code: 1, meaning: "nothing was written: none of the files could be taken" },
  noConnection: {
    code: 2,
    meaning: "the server could not be started, or no connection to it made",
  },
  protocol: { code: 3, meaning: "the server answered with an error, or broke the protocol" },
  toolError: { code: 4, meaning: "the tool ran and failed" },
  timeout: { code: 5, meaning: "no reply in time" },
  state: { code: 6, meaning: "the gate's state cannot be read or written" },
  broken: { code: 7, meaning: "the audit log, or a receipt, is not as it was written" },
  commandFailed: { code: 8, meaning: "nothing was written, but the command failed" },
  faulty: { code: 9, meaning: "some of the files could not be taken; the others were" },
  bug: { code: 70, meaning: "a fault in Genkan itself" },
  output: { code: 74, meaning: "the result could not be written" },
  interrupted: { code: 130, meaning: "interrupted by Ctrl-C" },
} as const;

export type Exit = keyof typeof exitCodes;

/** Gives the table as the last section of a help text. */
export function describeExitCodes(exits: readonly Exit[]): string {
  const rows = exits.map((exit) => {
    const { code, meaning } = exitCodes[exit];
    return `  ${String(code).padEnd(4)} ${meaning}`;
  });
  return `Exit codes:\n${rows.join("\n")}`;
}
