/** Takes out of a stranger's text what a terminal would act upon. */

import { printable } from "../client/index.ts";

/** Strips escape sequences and shows other control characters as escapes; line ends, tabs and the joiners of scripts and emoji stay. */
export function cleanText(text: string): string {
  return text
    .split(/(\r?\n|[\t\u200C\u200D])/)
    .map((part, index) => (index % 2 === 1 ? part : printable(part, Infinity)))
    .join("");
}

/** Escapes what JSON lets pass and a terminal acts upon (C1 controls, marks that reorder text): the same document, safe to show. */
export function escapeJson(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Shows every control character as an escape, and strips nothing. */
export function showControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
