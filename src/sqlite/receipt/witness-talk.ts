/** What is said between a receipt and its witness. */

import { isObject, isStringArray } from "../../protocol/index.ts";
import { receiptLimits, type ReceiptLimits } from "./limits.ts";
import { isFolder, isListOf, isLook, type Folder, type Look } from "./look.ts";
import { isLookRefusalReason, LookRefusal } from "./look-refusal.ts";

export interface WitnessRequest {
  /** From the root. */
  readonly databases: readonly string[];
  /** Folders whose entries are counted as well, but not hashed. */
  readonly elsewhere: readonly string[];
  readonly limits: ReceiptLimits;
  /** Whether the first look may find no database at all. */
  readonly isLenient: boolean;
}

export interface Sighting {
  readonly look: Look;
  readonly elsewhere: readonly Folder[];
  /** What was in a database's folder between the looks and is in neither; null where nobody could listen. */
  readonly cameAndWent: Passing | null;
}

export interface Passing {
  readonly total: number;
  /** The first of them, in order. */
  readonly paths: readonly string[];
}

export type WitnessReply =
  | { readonly sighting: Sighting }
  | { readonly refusal: Pick<LookRefusal, "reason" | "path" | "found"> };

export function isWitnessRequest(value: unknown): value is WitnessRequest {
  return (
    isObject(value) &&
    isStringArray(value["databases"]) &&
    isStringArray(value["elsewhere"]) &&
    typeof value["isLenient"] === "boolean" &&
    isReceiptLimits(value["limits"])
  );
}

/** Gives what was seen. Throws the `LookRefusal` that was sent, and a bug for anything else. */
export function readWitnessReply(reply: unknown): Sighting {
  const { sighting, refusal } = isObject(reply) ? reply : {};
  if (isSighting(sighting)) return sighting;
  if (!isObject(refusal) || !isLookRefusalReason(refusal["reason"]))
    throw new Error("The witness of a receipt said what nobody understands");
  throw new LookRefusal(refusal["reason"], String(refusal["path"]), String(refusal["found"]));
}

export function isPassing(value: unknown): value is Passing {
  return isObject(value) && Number.isSafeInteger(value["total"]) && isStringArray(value["paths"]);
}

function isSighting(value: unknown): value is Sighting {
  return (
    isObject(value) &&
    isLook(value["look"]) &&
    isListOf(value["elsewhere"], isFolder) &&
    (value["cameAndWent"] === null || isPassing(value["cameAndWent"]))
  );
}

function isReceiptLimits(value: unknown): value is ReceiptLimits {
  return (
    isObject(value) && Object.keys(receiptLimits).every((name) => Number.isSafeInteger(value[name]))
  );
}
