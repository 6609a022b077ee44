/** Log levels, in the order of RFC 5424. */

const levels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LoggingLevel = (typeof levels)[number];

/** Is true for one of the eight level names. */
export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return levels.some((level) => level === value);
}

/** Is true when a message of `level` passes a minimum of `minimum`. */
export function isAtLeast(level: LoggingLevel, minimum: LoggingLevel): boolean {
  return levels.indexOf(level) >= levels.indexOf(minimum);
}

/** The eight level names in order, for error texts. */
export const loggingLevels: readonly LoggingLevel[] = levels;
