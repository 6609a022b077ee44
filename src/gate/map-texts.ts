/** Changes the texts of a JSON value, the names of its members included; what does not change is given back as it is. */

import { isObject, type JsonObject } from "../protocol/index.ts";

export interface MapTextsOptions {
  /** Whether a number is changed, by its text, into a text. Default: no. */
  readonly numbers?: boolean;
}

/** How deep a value may be; what lies deeper becomes "…". Stops a peer's brackets from using up the stack. */
const maxDepth = 200;

type Change = (value: unknown) => unknown;

/** Applies `change` to every text; two names that become the same are kept apart by a number. */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  { numbers = false }: MapTextsOptions = {},
): unknown {
  const mapAt = (inner: unknown, depth: number): unknown => {
    if (typeof inner === "string") return change(inner);
    if (typeof inner === "number") return numbers ? mapNumber(inner, change) : inner;
    if (typeof inner !== "object" || inner === null) return inner;
    if (depth === maxDepth) return "…";
    const deeper: Change = (member) => mapAt(member, depth + 1);
    if (Array.isArray(inner)) return mapArray(inner, deeper);
    if (!isObject(inner)) return inner;
    return isPlain(inner) ? mapObject(inner, change, deeper) : mapAt(asJson(inner), depth);
  };
  return mapAt(value, 0);
}

function mapNumber(value: number, change: (text: string) => string): string | number {
  const text = String(value);
  const changed = change(text);
  return changed === text ? value : changed;
}

function mapArray(list: readonly unknown[], deeper: Change): readonly unknown[] {
  const mapped = list.map(deeper);
  return mapped.some((item, index) => !Object.is(item, list[index])) ? mapped : list;
}

function mapObject(
  object: JsonObject,
  change: (text: string) => string,
  deeper: Change,
): JsonObject {
  let isChanged = false;
  const mapped = Object.entries(object).map(([name, member]) => {
    const entry = [change(name), deeper(member)] as const;
    isChanged ||= entry[0] !== name || !Object.is(entry[1], member);
    return entry;
  });
  return isChanged ? Object.fromEntries(keepApart(mapped)) : object; // fromEntries() takes "__proto__" as a plain name
}

function keepApart(
  entries: readonly (readonly [string, unknown])[],
): readonly (readonly [string, unknown])[] {
  const taken = new Set(entries.map(([name]) => name));
  if (taken.size === entries.length) return entries;
  const uses = new Map<string, number>();
  return entries.map(([name, member]) => {
    let use = (uses.get(name) ?? 0) + 1;
    while (use > 1 && taken.has(`${name}_${use}`)) use++;
    uses.set(name, use);
    if (use === 1) return [name, member];
    taken.add(`${name}_${use}`);
    return [`${name}_${use}`, member];
  });
}

/** Anything else, such as a `Date`, may become a text only when it is written as JSON. */
function isPlain(object: JsonObject): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return (
    (prototype === Object.prototype || prototype === null) && typeof object["toJSON"] !== "function"
  );
}

function asJson(value: JsonObject): unknown {
  const json: string | undefined = JSON.stringify(value); // undefined when its toJSON() gives that
  return json === undefined ? undefined : JSON.parse(json);
}
