/** What takes receipts and checks them, in one piece: it is read when somebody wants a receipt. */

export { readWrittenBytes } from "./kernel-account.ts";
export { awaitLeftovers, markerName } from "./leftovers.ts";
export { receiptLimits } from "./limits.ts";
export { openReceipt } from "./open-receipt.ts";
export { readReceipt } from "./read-receipt.ts";
export { ReceiptError } from "./receipt-error.ts";
export { startTracing } from "./trace.ts";
export { verifyReceipt } from "./verify-receipt.ts";
