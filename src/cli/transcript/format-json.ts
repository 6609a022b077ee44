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

/** Gives lines without an end. When they are too many, lists are cut to their first item, and then the rest is left out. */
export function formatJson(value: unknown, layout: Layout): readonly string[] {
  const { width, maxLines, abbreviate = () => {} } = layout;
  const whole = layOutRoot(value, { width, maxItems: Infinity, abbreviate });
  if (whole.length <= maxLines) return whole;
  const shorter = layOutRoot(value, { width, maxItems: 1, abbreviate });
  if (shorter.length <= maxLines) return shorter;
  const rest = shorter.length - maxLines + 1;
  const { length } = JSON.stringify(value);
  return [...shorter.slice(0, maxLines - 1), `… ${rest} more lines; ${length} characters in all`];
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
  const lines = layOut({ lead: "", value }, { ...plan, width: plan.width - 2 }, "");
  if (lines.length < 3) return lines;
  const inner = lines.slice(1, -1);
  const first = `${lines[0] ?? ""} ${(inner[0] ?? "").trimStart()}`;
  const last = `${inner.length === 1 ? first : (inner.at(-1) ?? "")} ${lines.at(-1) ?? ""}`;
  return inner.length === 1 ? [last] : [first, ...inner.slice(1, -1), last];
}

function layOut(member: Member, plan: Plan, indent: string): readonly string[] {
  const flat = indent + flatten(member, plan);
  if (flat.length < plan.width || "words" in member || !isNested(member.value)) return [flat];
  const [open, close] = bracketsOf(member.value);
  const parts = membersOf(member.value, plan).map((each) => layOut(each, plan, `${indent}  `));
  return [indent + member.lead + open, ...fill(parts, plan.width), indent + close];
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
    else lines.push(...part);
    isOpen = part.length === 1;
  }
  return lines;
}

function flatten(member: Member, plan: Plan): string {
  if ("words" in member) return member.words;
  const { lead, value } = member;
  if (!isNested(value)) return lead + showScalar(value);
  const members = membersOf(value, plan).map((each) => flatten(each, plan));
  const [open, close] = bracketsOf(value);
  const space = open === "{" && members.length > 0 ? " " : "";
  return `${lead}${open}${space}${members.join(", ")}${space}${close}`;
}

function membersOf(value: object, { maxItems, abbreviate }: Plan): readonly Member[] {
  if (!Array.isArray(value)) {
    return Object.entries(value).map(([key, each]: [string, unknown]) => {
      const lead = `${showScalar(key)}: `;
      const words = abbreviate(key, each);
      return typeof words === "string" ? { words: lead + words } : { lead, value: each };
    });
  }
  const kept = value.slice(0, maxItems).map((each: unknown) => ({ lead: "", value: each }));
  const rest = value.length - kept.length;
  return rest === 0 ? kept : [...kept, { words: `… ${rest} more` }];
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
