/** Every layer between a statement and the file: which harm each stops, and how it is laid on. */

import type { DatabaseSyncOptions } from "node:sqlite";

export interface Layer {
  readonly id: string;
  /** The harm it stops. */
  readonly stops: string;
  /** Parameters of the file's URI. */
  readonly uri?: Readonly<Record<string, string>>;
  readonly options?: DatabaseSyncOptions;
  readonly pragmas?: readonly string[];
  /** Whether it reads the statement's text before SQLite does. */
  readonly readsText?: true;
  /** Whether it answers for each thing that a statement does. */
  readonly authorizes?: true;
  /** What the shell's `ulimit` takes, before the process begins; Windows has no such thing. */
  readonly ulimits?: readonly string[];
  /** What Node is started with. */
  readonly flags?: readonly string[];
}

/** CPU seconds that one reader may use in all. */
export const readerCpuSeconds = 120;

/** In the order in which they are laid on: the authorizer is last, for it refuses all pragmas. */
export const layers: readonly Layer[] = [
  {
    id: "one-select",
    stops:
      "a second statement, what is hidden behind a NUL, and all that does not begin as a SELECT",
    readsText: true,
  },
  { id: "mode-ro", stops: "writes to the file", uri: { mode: "ro" } },
  {
    id: "immutable",
    stops: "locks that stand in the owner's way, and sidecars beside the file",
    uri: { immutable: "1" },
  },
  { id: "read-only", stops: "writes to the file", options: { readOnly: true } },
  { id: "no-extension", stops: "code from a shared library", options: { allowExtension: false } },
  {
    id: "defensive",
    stops: "damage by SQL: writable_schema, shadow tables",
    options: { defensive: true },
  },
  {
    id: "no-double-quoted-texts",
    stops: "a misspelt column that silently becomes a text",
    options: { enableDoubleQuotedStringLiterals: false },
  },
  { id: "query-only", stops: "writes of any kind", pragmas: ["query_only=1"] },
  {
    id: "untrusted-schema",
    stops: "functions with effects in views of the file",
    pragmas: ["trusted_schema=0"],
  },
  {
    id: "cell-size-check",
    stops: "broken pages that read beyond themselves",
    pragmas: ["cell_size_check=1"],
  },
  { id: "temp-in-memory", stops: "temporary files", pragmas: ["temp_store=MEMORY"] },
  { id: "no-mmap", stops: "a SIGBUS when the owner cuts the file", pragmas: ["mmap_size=0"] },
  {
    id: "limits",
    stops: "ATTACH and what builds on it (VACUUM INTO), and statements and values of any size",
    options: {
      limits: {
        attach: 0,
        length: 64 * 1024 ** 2,
        sqlLength: 256 * 1024,
        column: 2_000,
        exprDepth: 500,
        compoundSelect: 100,
        vdbeOp: 250_000,
        functionArg: 127,
        likePatternLength: 1_000,
        variableNumber: 1_000,
        triggerDepth: 1,
      },
    },
  },
  { id: "authorizer", stops: "everything but reading what may be read", authorizes: true },
  { id: "no-file-bytes", stops: "any byte that goes into a file", ulimits: ["-f 0", "-c 0"] },
  {
    id: "bounded-process", // less memory than this, and Node does not start
    stops: "a statement that fills the memory, and a reader that nobody could kill",
    ulimits: ["-d 2097152", `-t ${readerCpuSeconds}`],
    flags: ["--max-old-space-size=512"],
  },
  {
    id: "node-permissions",
    stops: "other programs, native add-ons and writes by the reader's own JavaScript",
    flags: ["--permission", "--allow-fs-read=*", "--allow-worker"],
  },
];
