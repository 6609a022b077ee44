/** The short environment a server process gets: what programs need to run, and none of this process's secrets. */

type Environment = Readonly<Record<string, string | undefined>>;

const posixNames = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

const windowsNames = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

/**
 * Picks the variables that pass to a child; `LC_*` passes as well on POSIX.
 *
 * A value that begins with `()` is left out: some shells run it as a function.
 */
export function pickSafeEnvironment(
  environment: Environment,
  platform: string,
): Record<string, string> {
  const isWindows = platform === "win32";
  const names = new Set(isWindows ? windowsNames : posixNames);
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.startsWith("()")) continue;
    const isSafe = isWindows
      ? names.has(name.toUpperCase())
      : names.has(name) || name.startsWith("LC_");
    if (isSafe) picked[name] = value;
  }
  return picked;
}
