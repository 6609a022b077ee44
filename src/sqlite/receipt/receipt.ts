/** The receipt of a run: what lay where before and after it, what is different, and what that proves. */

import { hash } from "node:crypto";
import { canonicalJson } from "../../gate/index.ts";
import { escapeJson, isObject, isStringArray } from "../../protocol/index.ts";
import { changes, differenceSubjects, type Difference } from "./compare-looks.ts";
import type { HostFacts } from "./host-facts.ts";
import { isListOf, isLook, type Look } from "./look.ts";
import type { Trace } from "./trace.ts";
import { isPassing, type Passing } from "./witness-talk.ts";

export const receiptFormat = "genkan-receipt";
/** Changes when a reader of the old one would misunderstand the new one. */
export const receiptVersion = 1;

/** A JSON document. Two runs that do the same on the same files give the same one, but for `measured` and `digest`. */
export interface Receipt {
  readonly format: typeof receiptFormat;
  readonly version: typeof receiptVersion;
  /** `unfinished` before the end of the run, and for ever where that was not seen. */
  readonly verdict: Verdict;
  /** From the root, as they were asked for. */
  readonly databases: readonly string[];
  readonly command: Command;
  /** Null before the end. */
  readonly ending: Ending | null;
  readonly host: HostFacts;
  readonly differences: readonly Difference[];
  /** Paths in the databases' folders that may change: the receipt itself, and what the caller has named. */
  readonly except: readonly string[];
  /** What was in a folder in between, and is in neither look; null where nobody could listen. */
  readonly cameAndWent: Passing | null;
  /** What changed in other folders, by whomever: it is no part of the verdict. */
  readonly elsewhere: Elsewhere;
  /** Programs that the run left behind and that still ran at the last look; null where that cannot be told. */
  readonly stillRunning: readonly string[] | null;
  /** Which files the run itself has touched; null where it was not traced. */
  readonly trace: Trace | null;
  /** What the verdict `unchanged` says, and none for another; and what no verdict can say. */
  readonly promises: readonly string[];
  readonly limits: readonly string[];
  readonly before: Look;
  readonly after: Look | null;
  readonly measured: Measured;
  /** `sha256:` and the hash of all the above as canonical JSON. */
  readonly digest: string;
}

export const verdicts = ["unchanged", "changed", "unfinished"] as const;
export type Verdict = (typeof verdicts)[number];

export interface Command {
  /** As they were given, the long ones and the many cut. */
  readonly words: readonly string[];
  readonly leftOut: number;
  /** The working directory. */
  readonly folder: string;
}

/** One of the three is not null. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran, or what ended it instead. */
  readonly error: string | null;
}

export interface Elsewhere {
  /** The folders that were counted. */
  readonly folders: readonly string[];
  readonly total: number;
  readonly differences: readonly Difference[];
}

/** What is another in each run. */
export interface Measured {
  /** ISO 8601, in UTC. */
  readonly before: string;
  readonly after: string | null;
  /** What the kernel counts as written to any disk by the command and all that was waited for; null where it does not count. */
  readonly writtenBytes: number | null;
}

export function sealReceipt(receipt: Omit<Receipt, "digest">): Receipt {
  return { ...receipt, digest: digestOf(receipt) };
}

/** Gives what the digest of a receipt should be. */
export function digestOf(receipt: object): string {
  return `sha256:${hash("sha256", canonicalJson({ ...receipt, digest: undefined }))}`;
}

/** Gives the document, in lines, safe for a terminal. */
export function writeReceipt(receipt: Receipt): string {
  return `${escapeJson(JSON.stringify(receipt, undefined, 2))}\n`;
}

export function isReceipt(value: unknown): value is Receipt {
  return (
    isObject(value) &&
    value["format"] === receiptFormat &&
    value["version"] === receiptVersion &&
    verdicts.some((verdict) => verdict === value["verdict"]) &&
    ["databases", "except", "promises", "limits"].every((name) => isStringArray(value[name])) &&
    isCommand(value["command"]) &&
    (value["ending"] === null || isEnding(value["ending"])) &&
    hasTexts(value["host"], ["genkan", "node", "sqlite", "system", "machine"]) &&
    isListOf(value["differences"], isDifference) &&
    (value["cameAndWent"] === null || isPassing(value["cameAndWent"])) &&
    isElsewhere(value["elsewhere"]) &&
    (value["stillRunning"] === null || isStringArray(value["stillRunning"])) &&
    (value["trace"] === null || isTrace(value["trace"])) &&
    isLook(value["before"]) &&
    (value["after"] === null ? value["verdict"] === "unfinished" : isLook(value["after"])) &&
    isMeasured(value["measured"]) &&
    typeof value["digest"] === "string"
  );
}

function isCommand(value: unknown): value is Command {
  return hasTexts(value, ["folder"]) && isStringArray(value["words"]) && isCount(value["leftOut"]);
}

function isEnding(value: unknown): value is Ending {
  return (
    isObject(value) &&
    (value["code"] === null || Number.isSafeInteger(value["code"])) &&
    ["signal", "error"].every((name) => isTextOrNull(value[name]))
  );
}

function isDifference(value: unknown): value is Difference {
  return (
    hasTexts(value, ["path"]) &&
    differenceSubjects.some((what) => what === value["what"]) &&
    changes.some((change) => change === value["change"]) &&
    isObject(value["facts"]) &&
    Object.values(value["facts"]).every(
      (pair) =>
        Array.isArray(pair) &&
        pair.length === 2 &&
        pair.every((fact) => isTextOrNull(fact) || typeof fact === "number"),
    )
  );
}

function isElsewhere(value: unknown): value is Elsewhere {
  return (
    isObject(value) &&
    isStringArray(value["folders"]) &&
    isCount(value["total"]) &&
    isListOf(value["differences"], isDifference)
  );
}

function isTrace(value: unknown): value is Trace {
  return (
    isObject(value) &&
    isCount(value["total"]) &&
    typeof value["isWhole"] === "boolean" &&
    isListOf(
      value["files"],
      (file): file is Trace["files"][number] =>
        hasTexts(file, ["path"]) && isStringArray(file["acts"]),
    )
  );
}

function isMeasured(value: unknown): value is Measured {
  return (
    hasTexts(value, ["before"]) &&
    isTextOrNull(value["after"]) &&
    (value["writtenBytes"] === null || isCount(value["writtenBytes"]))
  );
}

function hasTexts(
  value: unknown,
  names: readonly string[],
): value is { readonly [name: string]: unknown } {
  return isObject(value) && names.every((name) => typeof value[name] === "string");
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
