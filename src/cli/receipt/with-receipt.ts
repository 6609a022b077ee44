/** Serves within a receipt: before the doors open, and after they are closed. */

import process from "node:process";
import { UsageError } from "../../protocol/index.ts";
import type { Exit } from "../exit-codes.ts";
import { readVersion } from "../package.ts";
import { showDifferences } from "./show-differences.ts";

export interface ReceiptWish {
  /** Where the receipt is to be written; `undefined` where none is wanted. */
  readonly file: string | undefined;
  /** Every SQLite file that is read. */
  readonly databases: readonly string[];
  /** What the server itself writes, wherever that is: its state. */
  readonly except?: readonly string[];
  /** Takes what the person who runs the server should know. */
  readonly report: (text: string) => void;
}

/**
 * Gives what `work` gives, and how the command has to end by the receipt: `changed` where something was written, else `ok`. `work`
 * resolves when the doors are closed; what it throws is thrown on, and the receipt is finished all the same.
 *
 * Throws a `UsageError` where there is no database, or one that cannot be looked at, and a `ReceiptError` where the receipt cannot
 * be written.
 */
export async function withReceipt<Result>(
  { file, databases, except = [], report }: ReceiptWish,
  work: () => Promise<Result>,
): Promise<readonly [Result, Exit]> {
  if (file === undefined) return [await work(), "ok"];
  if (databases.length === 0)
    throw new UsageError(
      "no-database",
      `Cannot write the receipt ${JSON.stringify(file)}: no SQLite file is served, expected one at least`,
    );
  const { loadReceipts } = await import("../../sqlite/index.ts");
  const { openReceipt } = await loadReceipts();
  await using open = await openReceipt({
    databases,
    words: ["genkan", ...process.argv.slice(2)],
    folder: process.cwd(),
    genkan: readVersion(),
    file,
    except,
    isCommand: false,
  });
  const finish = async (error: string | null): Promise<Exit> => {
    const code = error === null ? 0 : null;
    const receipt = await open.finish({ ending: { code, signal: null, error } });
    const isChanged = receipt.verdict !== "unchanged";
    if (isChanged)
      report(
        [`Changed, says the receipt ${file}:`, ...showDifferences(receipt.differences)].join("\n"),
      );
    await open.keep(receipt);
    return isChanged ? "changed" : "ok";
  };
  let result: Result;
  try {
    result = await work();
  } catch (thrown) {
    try {
      await finish(thrown instanceof Error ? thrown.message : "an error");
    } catch (second) {
      const what = second instanceof Error ? second.message : "an error";
      report(`Cannot finish the receipt "${file}", after another error: ${what}`);
    }
    throw thrown;
  }
  return [result, await finish(null)];
}
