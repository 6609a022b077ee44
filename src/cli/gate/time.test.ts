import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime, parseDuration, parseSince } from "./time.ts";

test("a duration is a number and a unit", () => {
  for (const [text, ms] of [
    ["1s", 1000],
    ["90s", 90_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
  ] as const)
    assert.equal(parseDuration(text), ms);
  for (const text of ["", "10", "m", "0m", "-5m", "1.5h", "10 m", "10M", "1w", "9999999999s"])
    assert.throws(
      () => parseDuration(text),
      /^UsageError: Cannot take ".*" for a duration: .+, expected a number and s, m, h or d$/,
    );
});

test("a time is ISO 8601, or how long ago", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  assert.equal(parseSince("2h", now), now - 7_200_000);
  assert.equal(parseSince("2026-11-30T10:00Z", now), Date.parse("2026-11-30T10:00:00Z"));
  assert.equal(
    parseSince("2026-11-30T10:00:01.5+09:00", now),
    Date.parse("2026-11-30T01:00:01.500Z"),
  );
  assert.equal(parseSince("2026-11-30", now), new Date(2026, 10, 30).getTime()); // by this machine's clock
  assert.equal(parseSince("2026-11-30T10:00", now), new Date(2026, 10, 30, 10).getTime());
  for (const text of ["yesterday", "2026-13-01", "30.11.2026", "10:00", ""])
    assert.throws(() => parseSince(text, now), /^UsageError: Cannot take ".*" for a time/);
});

test("a time is shown by this machine's clock, with its distance from UTC", () => {
  const ms = Date.parse("2026-11-30T12:34:56.789Z");
  const shown = formatTime(ms);
  assert.match(shown, /^2026-(?:11-30|12-01)T\d\d:\d\d:56\.789[+-]\d\d:\d\d$/);
  assert.equal(Date.parse(shown), ms);
});
