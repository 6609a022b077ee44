/** Times and durations as people type and read them. */

import { UsageError } from "../../protocol/index.ts";

/** Gives ISO 8601 by this machine's clock, with its distance from UTC: `2026-11-30T20:34:15.123+09:00`. */
export function formatTime(ms: number): string {
  const time = new Date(ms);
  const east = -time.getTimezoneOffset();
  const local = new Date(ms + east * minute).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${local}${east < 0 ? "-" : "+"}${hours}:${minutes}`;
}

/** Reads `90s`, `10m`, `2h` or `7d` as milliseconds. Throws a `UsageError` for anything else. */
export function parseDuration(text: string): number {
  const ms = tryDuration(text);
  if (ms !== undefined) return ms;
  const what = `Cannot take ${JSON.stringify(text.slice(0, 60))} for a duration: it has another form, expected a number and s, m, h or d`;
  throw new UsageError("bad-duration", what, { hint: "10m" });
}

/** Reads a time, ISO 8601, or how long ago it was. Without a zone, the time is this machine's. Throws a `UsageError` for anything else. */
export function parseSince(text: string, now: number): number {
  const ago = tryDuration(text);
  if (ago !== undefined) return now - ago;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/.test(text);
  const ms = isDay || isTime ? Date.parse(isDay ? `${text}T00:00` : text) : Number.NaN; // a bare day would be one of UTC
  if (!Number.isNaN(ms)) return ms;
  const what = `Cannot take ${JSON.stringify(text.slice(0, 60))} for a time: it has another form, expected ISO 8601 or a duration`;
  throw new UsageError("bad-time", what, { hint: "--since 2026-11-30T19:00, or --since 2h" });
}

const minute = 60_000;
const units = new Map([
  ["s", 1000],
  ["m", minute],
  ["h", 60 * minute],
  ["d", 24 * 60 * minute],
]);

function tryDuration(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const size = units.get(unit);
  return size === undefined || Number(count) < 1 ? undefined : Number(count) * size;
}
