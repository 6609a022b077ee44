/** Cleans what comes from a database: cells, names, and what SQLite says. */

import { addRemoved, nothingRemoved, sanitiseText } from "../../gate/index.ts";
import type { Examination, Schema } from "../database.ts";
import type { Answer, Value } from "../query.ts";
import type { RawAnswer } from "../reader/request.ts";

export function cleanAnswer({ columns, rows, hasMore }: RawAnswer): Answer {
  let removed = nothingRemoved;
  const clean = (text: string): string => {
    if (plainText.test(text)) return text;
    const cleaned = sanitiseText(text, uncut);
    if (cleaned.text !== text) removed = addRemoved(removed, cleaned.removed);
    return cleaned.text;
  };
  const cleanedRows = rows.map((row) => row.map((value) => cleanValue(value, clean)));
  return { columns: nameApart(columns), rows: cleanedRows, hasMore, removed };
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

function cleanValue(value: Value, clean: (text: string) => string): Value {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null || !("text" in value)) return value;
  return { ...value, text: clean(value.text) };
}

/** One of which nothing can be removed. */
const plainText = /^[\n\t\x20-\x7e]*$/;
/** A cell's own limit has been kept already. */
const uncut = { maxLength: Infinity };

/** A name that looks like another one is told apart from it by what is left in the place of the removed. */
function cleanName(name: string): string {
  const { text } = sanitiseText(name, { lines: false, maxLength: maxName });
  return text === name ? name : `${text}${cleanedMark}`;
}

const cleanedMark = " (cleaned)";

/** Whether a name is told otherwise than SQLite has it. */
export function isCleaned(name: string): boolean {
  return name.endsWith(cleanedMark);
}

/** Stops one name from filling a model's memory. */
const maxName = 200;
/** One of which nothing can be removed. */
const plainName = /^[\x20-\x7e]{1,200}$/;

function nameApart(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(["__proto__"]); // to validators of JSON Schema it is no name at all
  return names.map((name) => {
    const clean = plainName.test(name)
      ? name
      : sanitiseText(name, { lines: false, maxLength: maxName }).text;
    let free = clean;
    for (let n = 2; taken.has(free); n++) free = `${clean}_${n}`;
    taken.add(free);
    return free;
  });
}
