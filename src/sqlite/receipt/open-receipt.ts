/** Begins a receipt before a run, and finishes it afterwards. */

import { dirname, resolve } from "node:path";
import { UsageError } from "../../protocol/index.ts";
import { compareFolders, compareLooks } from "./compare-looks.ts";
import { findReal } from "./find-real.ts";
import { hireWitness } from "./hire-witness.ts";
import { tellHostFacts } from "./host-facts.ts";
import { receiptLimits, type ReceiptLimits } from "./limits.ts";
import type { Folder } from "./look.ts";
import { tellPromises } from "./promises.ts";
import { ReceiptError } from "./receipt-error.ts";
import { openReceiptFile, type ReceiptFile } from "./receipt-file.ts";
import {
  receiptFormat,
  receiptVersion,
  sealReceipt,
  writeReceipt,
  type Command,
  type Elsewhere,
  type Ending,
  type Receipt,
} from "./receipt.ts";
import type { Trace } from "./trace.ts";
import type { Sighting, WitnessRequest } from "./witness-talk.ts";
import type { Witness } from "./witness.ts";
import { writeName } from "./write-name.ts";

export interface ReceiptOptions {
  /** Paths; relative ones count from `folder`. */
  readonly databases: readonly string[];
  /** The command line, and the working directory. */
  readonly words: readonly string[];
  readonly folder: string;
  /** The version of Genkan. */
  readonly genkan: string;
  /** Where the receipt is written: unfinished at once, finished in the end. */
  readonly file?: string | undefined;
  /** Paths that may change, though they stand in a database's folder. */
  readonly except?: readonly string[];
  /** Other folders whose changes are told, though they are no part of the verdict. */
  readonly elsewhere?: readonly string[];
  /** Whether a command is run, and not a server of this process's own. */
  readonly isCommand: boolean;
  readonly limits?: Partial<ReceiptLimits>;
}

/** What is known at the end of a run. */
export interface RunReport {
  readonly ending: Ending;
  readonly writtenBytes?: number | undefined;
  readonly stillRunning?: readonly string[] | undefined;
  readonly trace?: Trace | undefined;
}

export interface OpenReceipt extends AsyncDisposable {
  /** Looks again, and gives the finished receipt. Throws a `ReceiptError` where nobody could look. */
  finish(run: RunReport): Promise<Receipt>;
  /** Writes it, where there is a file for it. Throws a `ReceiptError` where that cannot be written. */
  keep(receipt: Receipt): Promise<void>;
}

/**
 * Throws a `LookRefusal` for a database about which nothing could be proven, and a `ReceiptError` for a file that cannot be
 * written; then nothing stays open, and no new file stays behind.
 */
export async function openReceipt(options: ReceiptOptions): Promise<OpenReceipt> {
  const limits = { ...receiptLimits, ...options.limits };
  const databases = options.databases.map((path) => resolve(options.folder, path));
  const except = (options.except ?? []).map((path) => findReal(resolve(options.folder, path)));
  for (const path of except) refuseOwn(path, databases);
  const request = { databases, elsewhere: options.elsewhere ?? [], limits };
  await using opening = new AsyncDisposableStack();
  const file =
    options.file === undefined
      ? undefined
      : opening.use(await openReceiptFile(resolve(options.folder, options.file), databases));
  const witness = opening.use(hireWitness());
  const begin = async (): Promise<readonly [Sighting, Draft]> => {
    const sighting = await witness.look({ ...request, isLenient: false });
    const begun = draftReceipt(options, databases, sighting, except, file, limits);
    await file?.write(writeReceipt(sealReceipt(begun)));
    return [sighting, begun];
  };
  const [seen, draft] = await begin().catch(async (error: unknown) => {
    await file?.discard();
    throw error;
  });
  const opened = opening.move();
  return {
    finish: async (run) => {
      const now = await lookAgain(witness, request);
      return sealReceipt(finishReceipt(draft, seen, now, run, limits, options.isCommand));
    },
    keep: async (receipt) => file?.write(writeReceipt(receipt)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Of a database that may change, nothing can be proven. */
function refuseOwn(path: string, databases: readonly string[]): void {
  for (const database of databases.map(findReal))
    if (path === database || path.startsWith(`${database}-`))
      throw new UsageError(
        "excepted-database",
        `Cannot except ${JSON.stringify(path)}: it is the database or a part of it, expected another file of its folder`,
      );
}

type Draft = Omit<Receipt, "digest">;

function draftReceipt(
  { words, folder, genkan }: ReceiptOptions,
  databases: readonly string[],
  { look, elsewhere }: Sighting,
  except: readonly string[],
  file: ReceiptFile | undefined,
  limits: ReceiptLimits,
): Draft {
  const own = file === undefined ? [] : [file.path];
  const excepted = [...own, ...except].filter((path) =>
    look.folders.some((each) => each.path === write(dirname(path))),
  );
  return {
    format: receiptFormat,
    version: receiptVersion,
    verdict: "unfinished",
    databases,
    command: cutCommand(words, folder, limits),
    ending: null,
    host: tellHostFacts(genkan),
    differences: [],
    except: [...new Set(excepted.map(write))],
    cameAndWent: null,
    elsewhere: {
      folders: elsewhere.filter(({ unlisted }) => unlisted === null).map(({ path }) => path),
      total: 0,
      differences: [],
    },
    stillRunning: null,
    trace: null,
    promises: [],
    limits: [],
    before: look,
    after: null,
    measured: { before: new Date().toISOString(), after: null, writtenBytes: null },
  };
}

function finishReceipt(
  draft: Draft,
  seen: Sighting,
  { look, elsewhere, cameAndWent }: Sighting,
  { ending, writtenBytes, stillRunning, trace }: RunReport,
  limits: ReceiptLimits,
  isCommand: boolean,
): Draft {
  const { except, measured } = draft;
  const differences = compareLooks(draft.before, look, cameAndWent, except);
  const isUnchanged = differences.length === 0;
  const told = tellPromises({
    isWatched: cameAndWent !== null,
    isTraced: trace !== undefined,
    hasExceptions: except.length > 0,
    isCommand,
  });
  return {
    ...draft,
    verdict: isUnchanged ? "unchanged" : "changed",
    ending,
    differences,
    cameAndWent,
    elsewhere: compareElsewhere(draft.elsewhere.folders, seen.elsewhere, elsewhere, limits.listed),
    stillRunning: stillRunning?.slice(0, limits.listed) ?? null,
    trace: trace ?? null,
    promises: isUnchanged ? told.promises : [],
    limits: told.limits,
    after: look,
    measured: {
      ...measured,
      after: new Date().toISOString(),
      writtenBytes: writtenBytes ?? null,
    },
  };
}

/** A witness that has died has heard nothing in between, and another one looks in its place. */
async function lookAgain(
  witness: Witness,
  request: Omit<WitnessRequest, "isLenient">,
): Promise<Sighting> {
  try {
    return await witness.look({ ...request, isLenient: false });
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    using another = hireWitness();
    return await another.look({ ...request, isLenient: true });
  }
}

/** Of a folder elsewhere, its own times say nothing: everybody makes files there. */
function compareElsewhere(
  folders: readonly string[],
  before: readonly Folder[],
  after: readonly Folder[],
  listed: number,
): Elsewhere {
  const differences = before
    .filter(({ path }) => folders.includes(path))
    .flatMap((folder) => {
      const now = after.find(({ path }) => path === folder.path);
      return now === undefined ? [] : compareFolders(folder, now, [], []);
    })
    .filter(({ what, change }) => what !== "folder" || change !== "changed");
  return { folders, total: differences.length, differences: differences.slice(0, listed) };
}

function cutCommand(
  words: readonly string[],
  folder: string,
  { words: most, wordCharacters }: ReceiptLimits,
): Command {
  const kept = words
    .slice(0, most)
    .map((word) => (word.length > wordCharacters ? `${word.slice(0, wordCharacters)}…` : word));
  return { words: kept, leftOut: words.length - kept.length, folder };
}

function write(path: string): string {
  return writeName(Buffer.from(path));
}
