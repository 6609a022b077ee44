/** Reads a receipt that was written earlier, and says whether it still is what was written. */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { canonicalJson } from "../../gate/index.ts";
import { describeValue, isObject, scanJson } from "../../protocol/index.ts";
import { compareLooks } from "./compare-looks.ts";
import { codeOf } from "../code-of.ts";
import { receiptLimits } from "./limits.ts";
import { ReceiptError } from "./receipt-error.ts";
import { digestOf, isReceipt, receiptFormat, receiptVersion, type Receipt } from "./receipt.ts";

/** Throws a `ReceiptError` for a file that cannot be read, and for a receipt that is not whole, or was changed. */
export async function readReceipt(path: string): Promise<Receipt> {
  const refuse: Refuse = (what, hint) =>
    new ReceiptError(
      "receipt-broken",
      `Cannot trust the receipt ${JSON.stringify(path)}: ${what}`,
      hint === undefined ? {} : { hint },
    );
  const text = await readText(path);
  const value = parse(text, refuse);
  try {
    return check(value, text, refuse);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse("it is nested too deep, expected what genkan prove has written");
  }
}

type Refuse = (what: string, hint?: string) => ReceiptError;

function check(value: unknown, text: string, refuse: Refuse): Receipt {
  if (!isObject(value) || value["format"] !== receiptFormat)
    throw refuse(`it is JSON but no receipt, expected one that genkan prove has written`);
  if (value["version"] !== receiptVersion)
    throw refuse(
      `its version is ${describeValue(value["version"])}, expected ${receiptVersion}`,
      "the version of genkan that has written it can read it",
    );
  if (hasTwins(text, value))
    throw refuse("a member stands in it twice, expected what genkan prove has written");
  const digest = digestOf(value);
  if (value["digest"] !== digest)
    throw refuse(
      `it was changed after it was written: its contents have the digest ${digest}, expected the one in it`,
    );
  if (!isReceipt(value)) throw refuse("it is not made as a receipt is, expected all its members");
  if (!isConclusive(value)) throw refuse("its verdict does not follow from what it holds");
  return value;
}

async function readText(path: string): Promise<string> {
  const fail = (what: string, cause?: unknown): ReceiptError => {
    const text = `Cannot read the receipt ${JSON.stringify(path)}: ${what}, expected a file that genkan prove has written`;
    return new ReceiptError("receipt-not-readable", text, { cause });
  };
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) throw fail("it is no file");
    const { receiptBytes } = receiptLimits;
    if (stats.size > receiptBytes) throw fail(`it has more than ${receiptBytes} bytes`);
    return await file.readFile("utf8");
  } catch (error) {
    if (error instanceof ReceiptError) throw error;
    const code = codeOf(error);
    throw fail(code === "ENOENT" ? "there is none" : `the system refuses (${code})`, error);
  }
}

function parse(text: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*[^\s{]/.test(text)) {
      const is = text.startsWith("SQLite format 3\0") ? "it is a SQLite database" : "it is no JSON";
      throw refuse(
        `${is} and no receipt, expected one that genkan prove has written`,
        "genkan prove --verify receipt.json",
      );
    }
    const scan = scanJson(text);
    const at = scan.kind === "error" ? scan.at : scan.end;
    const isCut = at >= text.length;
    throw refuse(
      isCut
        ? `it ends at character ${text.length}, in the midst, expected a whole receipt`
        : `it is no JSON at character ${at}, expected a receipt`,
    );
  }
}

/** Of two members with one name, a reader sees the first and a program the last. */
function hasTwins(text: string, value: unknown): boolean {
  const written = text
    .matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)
    .filter(([, colon]) => colon !== undefined);
  return Array.from(written).length !== countMembers(value);
}

function countMembers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countMembers(each), 0);
  if (!isObject(value)) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, each) => sum + countMembers(each), members.length);
}

/** Whether the differences are those of its looks, and the verdict that of its differences. */
function isConclusive({
  verdict,
  databases,
  before,
  after,
  cameAndWent,
  except,
  differences,
}: Receipt): boolean {
  if (canonicalJson(before.databases.map(({ path }) => path)) !== canonicalJson(databases))
    return false;
  if (after === null) return verdict === "unfinished" && differences.length === 0;
  const found = compareLooks(before, after, cameAndWent, except);
  if (canonicalJson(found) !== canonicalJson(differences)) return false;
  return verdict === (found.length === 0 ? "unchanged" : "changed");
}
