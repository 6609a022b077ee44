/** Writes the name of a file, which is any bytes, as a text that can be shown, and never two names as the same text. */

import { isUtf8 } from "node:buffer";

/**
 * Gives a name in UTF-8 as it is, but for a backslash (`\\`) and what is invisible or acts upon a terminal (`\u{202e}`); of any
 * other name, each byte beyond printable ASCII is `\{ff}`.
 */
export function writeName(name: Uint8Array): string {
  if (isUtf8(name))
    return new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(name)
      .replaceAll(hidden, (character) => {
        const code = character.codePointAt(0) ?? 0;
        return code === backslash ? "\\\\" : `\\u{${code.toString(16)}}`;
      });
  return Array.from(name, (byte) => {
    if (byte === backslash) return "\\\\";
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\{${byte.toString(16)}}`;
  }).join("");
}

/** Joins a folder and a name that are both written. */
export function joinWritten(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

const backslash = 0x5c;
const hidden = /[\\\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
