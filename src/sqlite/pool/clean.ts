/** Cleans what comes from a database: cells, names, and what SQLite says. */

import { sanitiseText, type Removed } from "../../gate/index.ts";
import type { Examination, Schema } from "../database.ts";
import type { Answer, Value } from "../query.ts";
import type { RawAnswer } from "../reader/request.ts";

export function cleanAnswer({ columns, rows, hasMore }: RawAnswer): Answer {
  const cleaner = createCleaner();
  return {
    columns: nameApart(columns),
    rows: rows.map((row) => row.map((value) => cleaner.clean(value))),
    hasMore,
    removed: cleaner.removed,
  };
}

export function cleanSchema({ tables }: Schema): Schema {
  return {
    tables: tables.map(({ name, kind, columns, definition }) => ({
      name: cleanName(name),
      kind,
      definition,
      columns: columns.map((column) => ({
        ...column,
        name: cleanName(column.name),
        type: cleanName(column.type),
      })),
    })),
  };
}

export function cleanExamination(examination: Examination): Examination {
  const {
    refusal,
    parameters,
    reads,
    functions,
    isRecursive,
    otherActions,
    columns,
    answerColumns,
    plan,
  } = examination;
  const cleanOptional = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : cleanName(name);
  const names = nameApart(columns.map(({ name }) => name));
  return {
    refusal: refusal === undefined ? undefined : cleanName(refusal),
    parameters,
    isRecursive,
    otherActions,
    reads: reads.map(({ table, column, via, times }) => ({
      table: cleanName(table),
      column: cleanName(column),
      via: cleanOptional(via),
      times,
    })),
    functions: functions.map(cleanName),
    columns: columns.map(({ name, table, column, type }, index) => ({
      name: names[index] ?? name,
      table: cleanOptional(table),
      column: cleanOptional(column),
      type: cleanOptional(type),
    })),
    answerColumns: nameApart(answerColumns),
    plan: plan.map(cleanName),
  };
}

/** Cleans values and counts what it takes out of all of them. */
function createCleaner(): { readonly removed: Removed; clean(value: Value): Value } {
  const sum: { -readonly [Name in keyof Removed]: number } = { ...sanitiseText("").removed };
  const cleanText = (text: string): string => {
    const { text: clean, removed } = sanitiseText(text, uncut);
    if (clean === text) return text;
    for (const name of Object.keys(sum)) if (isKey(name, sum)) sum[name] += removed[name];
    return clean;
  };
  const clean = (value: Value): Value => {
    if (typeof value === "string") return cleanText(value);
    if (typeof value !== "object" || value === null || !("text" in value)) return value;
    return { ...value, text: cleanText(value.text) };
  };
  return { removed: sum, clean };
}

function isKey<Known extends object>(name: PropertyKey, known: Known): name is keyof Known {
  return Object.hasOwn(known, name);
}

/** A cell's own limit has been kept already. */
const uncut = { maxLength: Infinity };

/** A name that looks like another one is told apart from it by what is left in the place of the removed. */
function cleanName(name: string): string {
  const { text } = sanitiseText(name, { lines: false, maxLength: maxName });
  return text === name ? name : `${text} (cleaned)`;
}

/** Stops one name from filling a model's memory. */
const maxName = 200;

function nameApart(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(["__proto__"]); // to validators of JSON Schema it is no name at all
  return names.map((name) => {
    const clean = sanitiseText(name, { lines: false, maxLength: maxName }).text;
    let free = clean;
    for (let n = 2; taken.has(free); n++) free = `${clean}_${n}`;
    taken.add(free);
    return free;
  });
}
