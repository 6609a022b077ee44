/** Says what is wrong with a task_id or a call_id. */

import { describeValue } from "../protocol/index.ts";
import { idPattern } from "./published.ts";

/** Gives nothing for an id that is good, or absent. */
export function findIdIssues(
  name: string,
  value: unknown,
  sealText: (text: string) => string,
): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === "string" && idPattern.test(value))
    return sealText(value) === value ? [] : [`"${name}" holds a secret, expected another id`]; // ids are stored as they are
  return [
    `"${name}" is ${describeValue(value)}, expected up to 100 of A-Z a-z 0-9 _ . : -, beginning with a letter or a digit`,
  ];
}
