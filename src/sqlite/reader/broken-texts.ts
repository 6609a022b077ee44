/** Tells texts that are not UTF-8 from those that do hold U+FFFD: the driver gives both alike. */

import type { Value } from "../query.ts";
import type { Bindings, Prepared } from "./handle.ts";

/** Reads the answer once more as bytes, in the columns where such a text stands, and marks the broken ones. */
export function markBrokenTexts(
  prepared: Prepared,
  parameters: Bindings,
  rows: readonly (readonly Value[])[],
  suspects: ReadonlySet<number>,
): readonly (readonly Value[])[] {
  const columns = [...suspects];
  const { rows: again, encoding } = prepared.readBytes(columns, parameters, rows.length);
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return rows.map((row, index) =>
    row.map((value, column) => mark(value, again[index]?.[columns.indexOf(column)], decoder)),
  );
}

interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** What does not come out the same, as where a statement gives its rows in another order each time, counts as broken. */
function mark(value: Value, bytes: unknown, decoder: Decoder): Value {
  if (typeof value !== "string" || !value.includes("\uFFFD")) return value;
  return decode(bytes, decoder) === value ? value : { text: value, invalid_utf8: true };
}

function decode(bytes: unknown, decoder: Decoder): string | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // it is broken
  }
}
