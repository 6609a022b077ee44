/** Shows arguments in one line: enough to recognise a call, not enough to fill a log. */

import { isObject } from "../protocol/index.ts";
import { sanitiseText } from "./sanitise.ts";

const maxSummary = 400;
const maxText = 40;
const maxMembers = 20;

/** Gives `limit=20 query="SELECT…"(120) ids=[3] filter={2}`. */
export function summariseArguments(args: unknown): string {
  if (!isObject(args)) return args === undefined ? "" : show(args);
  const names = Object.keys(args);
  const parts = names
    .slice(0, maxMembers)
    .map((name) => `${clean(name, maxText)}=${show(args[name])}`);
  if (names.length > maxMembers) parts.push(`… ${names.length - maxMembers} more`);
  return clean(parts.join(" "), maxSummary);
}

function show(value: unknown): string {
  if (typeof value === "string") {
    const size = value.length > maxText ? `(${value.length})` : "";
    return `"${clean(value, maxText)}"${size}`;
  }
  if (Array.isArray(value)) return `[${value.length}]`;
  return isObject(value) ? `{${Object.keys(value).length}}` : String(value);
}

function clean(text: string, maxLength: number): string {
  return sanitiseText(text, { lines: false, maxLength }).text;
}
