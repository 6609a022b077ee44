/** Holds a receipt against the databases as they are now. */

import { resolve } from "node:path";
import { UsageError } from "../../protocol/index.ts";
import { compareLooks, type Difference } from "./compare-looks.ts";
import { hireWitness } from "./hire-witness.ts";
import { receiptLimits } from "./limits.ts";
import type { Look } from "./look.ts";
import type { Receipt } from "./receipt.ts";
import { joinWritten } from "./write-name.ts";

/**
 * Gives what is different in the databases and their sidecars since the receipt's last look at them.
 *
 * @param moved Where the one database is now, if not at its path in the receipt: then its bytes alone are compared, and those of its
 *   `-wal` and `-journal`.
 *
 * Throws a `LookRefusal` where there is nothing to look at, and a `UsageError` for a place given to several databases.
 */
export async function verifyReceipt(
  receipt: Receipt,
  moved: string | undefined,
): Promise<readonly Difference[]> {
  const { databases, before, after } = receipt;
  const known = after ?? before;
  if (moved !== undefined && databases.length !== 1)
    throw new UsageError(
      "one-place",
      `Cannot look at ${JSON.stringify(moved)}: the receipt is about ${databases.length} databases, expected one`,
    );
  using witness = hireWitness();
  const { look } = await witness.look({
    databases: moved === undefined ? databases : [resolve(moved)],
    elsewhere: [],
    limits: receiptLimits,
    isLenient: moved === undefined,
  });
  if (moved !== undefined) return compareBytes(known, look);
  return compareLooks(known, look, null).filter(
    ({ what, change }) => what !== "other" && (what !== "folder" || change !== "changed"),
  );
}

function compareBytes(known: Look, look: Look): readonly Difference[] {
  const [old, now] = [findBytes(known), findBytes(look)];
  const [place] = look.databases;
  const path = joinWritten(place?.folder ?? "", place?.name ?? "");
  return contents.flatMap((suffix) => {
    const pair = [old(suffix), now(suffix)] as const;
    if (pair[0] === pair[1]) return [];
    const change = pair[0] === null ? "created" : pair[1] === null ? "removed" : "changed";
    const what = suffix === "" ? "database" : "sidecar";
    return [{ path: `${path}${suffix}`, what, change, facts: { sha256: pair } } as const];
  });
}

/** What a database's contents are in: `-shm` is made from these. */
const contents = ["", "-wal", "-journal"];

/** Gives the hash of the one database of a look, or of a sidecar; null where there is none, or it is empty. */
function findBytes({ databases: [place], folders }: Look): (suffix: string) => string | null {
  const entries = folders.find(({ path }) => path === place?.folder)?.entries ?? [];
  return (suffix) => {
    const entry = entries.find(({ name }) => name === `${place?.name}${suffix}`);
    return suffix !== "" && entry?.size === 0 ? null : (entry?.sha256 ?? null);
  };
}
