// What every HTTP server under measurement does beside serving: tells its port on a line, and ends with its stdin.

export function tellPort(port) {
  process.stdout.write(`${port}\n`);
  process.stdin.on("end", () => process.exit()).resume();
}
