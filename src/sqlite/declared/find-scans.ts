/** Reads out of a plan which tables a statement goes through from end to end. */

import type { Schema } from "../database.ts";
import { scanSql, type SqlToken } from "../scan-sql.ts";

export interface PlannedScan {
  readonly table: string;
  /** The line of the plan. */
  readonly line: string;
}

/** A plan calls a table by its alias; where nothing tells what an alias stands for, nothing is said of it. */
export function findScans(
  plan: readonly string[],
  tokens: readonly SqlToken[],
  { tables }: Schema,
): readonly PlannedScan[] {
  const known = new Map(
    tables.filter(({ kind }) => kind === "table").map(({ name }) => [name.toLowerCase(), name]),
  );
  const views = tables.flatMap(({ definition }) => definition ?? []);
  const texts = [tokens, ...views.map((definition) => scanSql(definition).tokens)];
  const aliases = new Map(texts.flatMap((text) => listAliases(text, known)));
  return plan.flatMap((line) => {
    const [, name = ""] = scanForm.exec(line) ?? automaticIndexForm.exec(line) ?? [];
    const table = known.get(name.toLowerCase()) ?? aliases.get(name.toLowerCase());
    return table === undefined ? [] : [{ table, line }];
  });
}

const scanForm = /^SCAN (.+?)(?: USING (?:COVERING )?INDEX .+| LEFT-JOIN| EXISTS)*$/;
/** It is made for each call, out of all rows. */
const automaticIndexForm = /^SEARCH (.+?) USING AUTOMATIC /;

function listAliases(
  tokens: readonly SqlToken[],
  known: ReadonlyMap<string, string>,
): readonly (readonly [alias: string, table: string])[] {
  return tokens.flatMap((token, index) => {
    const table = token.kind === "name" ? known.get(token.text.toLowerCase()) : undefined;
    const next = tokens[index + 1];
    const isAs = next?.kind === "name" && !next.isQuoted && next.text.toUpperCase() === "AS";
    const alias = isAs ? tokens[index + 2] : next;
    if (table === undefined || alias?.kind !== "name") return [];
    return [[alias.text.toLowerCase(), table] as const];
  });
}
