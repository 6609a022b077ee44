/** The hosts that `--print-config` knows: where each keeps its servers, and how an entry reads there. */

import { escapeJson } from "../../protocol/index.ts";

export interface Host {
  readonly name: string;
  readonly title: string;
  /** Gives the files it reads, the usual one first, each with what it is for. */
  readonly files: (platform: string) => readonly string[];
  /** Writes an entry as the whole of such a file. */
  readonly format: (server: string, start: Start) => string;
  /** What it takes for a variable in a text; `undefined`: nothing. */
  readonly variable: RegExp | undefined;
}

/** How a server is started. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

export const hosts: readonly Host[] = [
  {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    name: "claude-desktop",
    title: "Claude Desktop",
    files: (platform) => [
      platform === "win32"
        ? "%APPDATA%\\Claude\\claude_desktop_config.json"
        : platform === "darwin"
          ? "~/Library/Application Support/Claude/claude_desktop_config.json"
          : "~/.config/Claude/claude_desktop_config.json",
    ],
    format: (server, start) => formatJson({ mcpServers: { [server]: start } }),
    variable: undefined,
  },
  {
    // https://code.claude.com/docs/en/mcp
    name: "claude-code",
    title: "Claude Code",
    files: () => [".mcp.json in the folder of a project", "~/.claude.json for all projects"],
    format: (server, start) => formatJson({ mcpServers: { [server]: typed(start) } }),
    variable: /\$\{[^}]*\}/,
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    name: "vscode",
    title: "VS Code",
    files: () => [
      ".vscode/mcp.json in a workspace",
      'the file that "MCP: Open User Configuration" opens, for all of them',
    ],
    format: (server, start) => formatJson({ servers: { [server]: typed(start) } }),
    variable: /\$\{[^}]*\}/,
  },
  {
    // https://cursor.com/docs/mcp
    name: "cursor",
    title: "Cursor",
    files: () => ["~/.cursor/mcp.json for all projects", ".cursor/mcp.json in the folder of one"],
    format: (server, start) => formatJson({ mcpServers: { [server]: typed(start) } }),
    variable: /\$\{[^}]*\}/,
  },
  {
    // https://developers.openai.com/codex/mcp
    name: "codex",
    title: "Codex",
    files: () => [
      "~/.codex/config.toml for all projects",
      ".codex/config.toml in the folder of a trusted one",
    ],
    format: formatToml,
    variable: undefined,
  },
  {
    // https://geminicli.com/docs/tools/mcp-server
    name: "gemini-cli",
    title: "Gemini CLI",
    files: () => [
      "~/.gemini/settings.json for all projects",
      ".gemini/settings.json in the folder of one",
    ],
    format: (server, start) => formatJson({ mcpServers: { [server]: start } }),
    variable: /\$(?:\w+|\{[^}]+\})/,
  },
];

function typed({ command, args }: Start): object {
  return { type: "stdio", command, args };
}

function formatJson(value: unknown): string {
  return escapeJson(JSON.stringify(value, undefined, 2));
}

/**
 * A basic string of TOML has the escapes of JSON; `escapeJson` escapes what TOML forbids and JSON lets pass, the control U+007F.
 *
 * @see https://toml.io/en/v1.0.0#string
 */
function formatToml(server: string, { command, args }: Start): string {
  const quote = (text: string): string => escapeJson(JSON.stringify(text));
  const list = args.map((each) => `  ${quote(each)},\n`).join("");
  return `[mcp_servers.${server}]\ncommand = ${quote(command)}\nargs = [\n${list}]`;
}
