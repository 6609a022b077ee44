/** Says whether a value can be a secret: one that is too plain would take other words out of every text. */

import { toSecretReference } from "./secret-reference.ts";

/** A shorter value stands in too many words by chance. */
const minSecretLength = 8;
/** `00000000` stands in too many numbers by chance. */
const minDifferent = 4;
/** Bounds what is looked for. */
export const maxSecretBytes = 65_536;

/** Gives what is wrong with a value and what is expected, without the value; `undefined` when it can be kept out of texts. */
export function findSecretFault(value: string, names: readonly string[]): string | undefined {
  const characters = Array.from(value);
  if (characters.length < minSecretLength)
    return `it has ${characters.length} characters, expected at least ${minSecretLength}, so that no other text is taken for it`;
  if (Buffer.byteLength(value) > maxSecretBytes)
    return `it is longer than ${maxSecretBytes} bytes, expected a shorter one`;
  if (new Set(characters).size < minDifferent)
    return `it has fewer than ${minDifferent} different characters, expected more, so that no other text is taken for it`;
  if (!value.isWellFormed() || value.includes("\0"))
    return "it holds what is no text, expected UTF-8 without NUL";
  if (value.trim() !== value)
    return "it begins or ends with white space, expected none: one copy of it would be found and another not";
  const told = names.find((name) => toSecretReference(name).includes(value));
  return told === undefined
    ? undefined
    : `the name "secret://${told}" tells it, expected another name`;
}
