/** Takes as many rows as fit into a result; what is over is dropped from the end. */

import { ToolFailure } from "../../gate/index.ts";
import type { Answer, Value } from "../query.ts";

export type Row = Readonly<Record<string, Value>>;

/** Throws a `ToolFailure` where not even the first row fits. */
export function fitRows({ columns, rows }: Answer, maxBytes: number): readonly Row[] {
  const all = rows.map((values) => toRow(columns, values));
  if (sizeOf(all) <= maxBytes) return all;
  const fitting: Row[] = [];
  let bytes = 0;
  for (const row of all) {
    bytes += sizeOf(row) + 1;
    if (bytes > maxBytes) {
      if (fitting.length > 0) return fitting;
      throw new ToolFailure(
        "result_too_large",
        `The first row has ${bytes} bytes as JSON, and a result has room for ${Math.max(0, maxBytes)} (resultBytes)`,
        {
          effect: "none",
          hint: "Tell the person: this row does not fit into a result of this tool",
        },
      );
    }
    fitting.push(row);
  }
  return fitting;
}

/** A loop, as there may be many of them. No column is named `__proto__`: see `nameApart`. */
function toRow(columns: readonly string[], values: readonly Value[]): Row {
  const row: Record<string, Value> = {};
  for (const [index, name] of columns.entries()) row[name] = values[index] ?? null;
  return row;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
