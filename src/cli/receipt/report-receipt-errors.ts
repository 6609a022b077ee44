/** Puts what keeps a receipt from being written, or from being trusted, into a sentence and an exit code. */

import type { ReceiptFailure } from "../../sqlite/index.ts";
import type { Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { reportProblem } from "../report-problem.ts";

/** Gives what `work` gives, or how it ends for a receipt that cannot be had. */
export async function reportReceiptErrors(
  { screen }: Pick<Run, "screen">,
  work: () => Promise<Exit>,
): Promise<Exit> {
  try {
    return await work();
  } catch (thrown) {
    const { loadReceipts } = await import("../../sqlite/index.ts");
    const { ReceiptError } = await loadReceipts();
    if (!(thrown instanceof ReceiptError)) throw thrown;
    reportProblem(screen, { text: thrown.message, hint: thrown.hint });
    return exits[thrown.failure];
  }
}

const exits: Readonly<Record<ReceiptFailure, Exit>> = {
  "receipt-not-writable": "output",
  "receipt-not-readable": "usage",
  "receipt-broken": "broken",
  "witness-lost": "bug",
};
