/** Lays out JSON for people: what fits on a line stands on it, and what is long is shortened and says by how much. */

import { escapeJson, isObject } from "../../protocol/index.ts";

export interface Layout {
  readonly width: number;
  readonly maxLines: number;
  /** Gives what to show instead of a member, or `undefined` to show the member. */
  readonly abbreviate?: (key: string, value: unknown) => string | undefined;
}

/** How long a string may be before it is shortened. */
const maxStringLength = 300;
/** How deep is shown: a stranger's message may nest a million times. */
const maxDepth = 32;
/** How many members of one object are shown. */
const maxMembers = 200;

/** Gives lines without an end. When they are too many, lists are cut to their first item, and then the rest is left out. */
export function formatJson(value: unknown, layout: Layout): readonly string[] {
  const { width, maxLines, abbreviate = () => {} } = layout;
  const mostItems = Math.ceil((maxLines * width) / 3); // an item takes three characters, so more of them do not fit
  const whole = layOutRoot(value, { width, maxItems: mostItems, abbreviate });
  if (whole.length <= maxLines) return whole;
  const shorter = layOutRoot(value, { width, maxItems: 1, abbreviate });
  if (shorter.length <= maxLines) return shorter;
  const rest = shorter.length - maxLines + 1;
  return [...shorter.slice(0, maxLines - 1), `… ${rest} more lines${describeLength(value)}`];
}

function describeLength(value: unknown): string {
  try {
    return `; ${JSON.stringify(value).length} characters in all`;
  } catch {
    return ""; // nested too deep to be written again
  }
}

interface Plan {
  readonly width: number;
  readonly maxItems: number;
  readonly abbreviate: (key: string, value: unknown) => string | void;
}

/** A member with what stands before it on its first line, or the words that stand for members left out. */
type Member = { readonly lead: string; readonly value: unknown } | { readonly words: string };

/** The brackets of the whole take no lines of their own. */
function layOutRoot(value: unknown, plan: Plan): readonly string[] {
  const lines = layOut({ lead: "", value }, { ...plan, width: plan.width - 2 }, 0);
  if (lines.length < 3) return lines;
  const inner = lines.slice(1, -1);
  const first = `${lines[0] ?? ""} ${(inner[0] ?? "").trimStart()}`;
  const last = `${inner.length === 1 ? first : (inner.at(-1) ?? "")} ${lines.at(-1) ?? ""}`;
  return inner.length === 1 ? [last] : [first, ...inner.slice(1, -1), last];
}

function layOut(member: Member, plan: Plan, depth: number): readonly string[] {
  const indent = "  ".repeat(depth);
  const flat = flatten(member, plan, plan.width - indent.length - 1);
  if (flat !== undefined) return [indent + flat];
  if ("words" in member) return [indent + member.words];
  const { lead, value } = member;
  if (!isNested(value)) return [indent + lead + showScalar(value)];
  const [open, close] = bracketsOf(value);
  if (depth >= maxDepth) return [`${indent}${lead}${open} … ${close}`];
  const parts = membersOf(value, plan).map((each) => layOut(each, plan, depth + 1));
  return [indent + lead + open, ...fill(parts, plan.width), indent + close];
}

/** Sets commas between the parts, and neighbours that are short together on one line. */
function fill(parts: readonly (readonly string[])[], width: number): readonly string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined) lines[lines.length - 1] = `${last},`;
    const joined = `${last}, ${(part[0] ?? "").trimStart()}`;
    if (last !== undefined && isOpen && part.length === 1 && joined.length < width)
      lines[lines.length - 1] = joined;
    else for (const line of part) lines.push(line);
    isOpen = part.length === 1;
  }
  return lines;
}

/** Gives a member on one line, or `undefined` as soon as it does not fit into `room`. */
function flatten(member: Member, plan: Plan, room: number): string | undefined {
  if (room < 0) return undefined;
  if ("words" in member) return fits(member.words, room);
  const { lead, value } = member;
  if (!isNested(value)) return fits(lead + showScalar(value), room);
  const [open, close] = bracketsOf(value);
  let text = lead + open;
  let separator = open === "{" ? " " : "";
  for (const each of membersOf(value, plan)) {
    const next = flatten(each, plan, room - text.length - separator.length - 1);
    if (next === undefined) return undefined;
    text += separator + next;
    separator = ", ";
  }
  return fits(`${text}${open === "{" && separator === ", " ? " " : ""}${close}`, room);
}

function fits(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined;
}

function membersOf(value: object, { maxItems, abbreviate }: Plan): readonly Member[] {
  if (!Array.isArray(value)) {
    const entries: readonly [string, unknown][] = Object.entries(value);
    const shown = entries.slice(0, maxMembers).map(([key, each]) => {
      const lead = `${showScalar(key)}: `;
      const words = abbreviate(key, each);
      return typeof words === "string" ? { words: lead + words } : { lead, value: each };
    });
    return appendRest(shown, entries.length - shown.length);
  }
  const kept = value.slice(0, maxItems).map((each: unknown) => ({ lead: "", value: each }));
  return appendRest(kept, value.length - kept.length);
}

function appendRest(shown: readonly Member[], rest: number): readonly Member[] {
  return rest === 0 ? shown : [...shown, { words: `… ${rest} more` }];
}

function bracketsOf(value: object): readonly [open: string, close: string] {
  return Array.isArray(value) ? ["[", "]"] : ["{", "}"];
}

function isNested(value: unknown): value is object {
  return Array.isArray(value) || isObject(value);
}

function showScalar(value: unknown): string {
  if (typeof value !== "string" || value.length <= maxStringLength)
    return escapeJson(JSON.stringify(value));
  const start = escapeJson(JSON.stringify(value.slice(0, maxStringLength)));
  return `${start} … ${value.length - maxStringLength} more characters`;
}
