/** `--print-config`, as every command has it that serves over stdio. */

/** Commander's words for the option. `hosts.ts` is read when an entry is printed: a server starts without it. */
export const hostOption = [
  "--print-config <host>",
  "print the entry for a host instead: claude-desktop, claude-code, vscode, cursor, codex or gemini-cli",
] as const;
