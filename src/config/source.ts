/** Reads YAML, and remembers on which line everything stands. */

import { isMap, isNode, isPair, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { UsageError } from "../protocol/index.ts";
import type { ConfigFault, Path } from "./find-faults.ts";

export interface Source {
  /** As people call the file. */
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
  /** Gives `genkan.yaml:4:3`. */
  locate(path: Path, isKey?: boolean): string;
  /** Makes the error for what is wrong in this file. */
  refuse(faults: readonly ConfigFault[]): UsageError;
}

/** How many faults are told at once: the rest most often follows from them. */
const shownFaults = 10;

/** Throws a `UsageError` for a text that is not YAML. */
export function parseSource(text: string, name: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const broken = [...document.errors, ...document.warnings].map(
    ({ pos: [at], message }) => `${place(at)}: Cannot read the YAML: ${lowerFirst(message)}`,
  );
  if (broken.length > 0) throw invalid(broken);
  const locate = (path: Path, isKey = false): string => place(findOffset(document, path, isKey));
  return {
    name,
    text,
    value: toValue(document, place(0)),
    locate,
    refuse: (faults) =>
      invalid(
        faults.map(({ path, isKey, what }) => {
          const thing = path.length === 0 ? name : path.join(".");
          return `${locate(path, isKey)}: Cannot use "${thing}": ${what}`;
        }),
      ),
  };
}

function invalid(sentences: readonly string[]): UsageError {
  const more = sentences.length - shownFaults;
  const shown = sentences.slice(0, shownFaults);
  return new UsageError(
    "invalid-config",
    [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"),
  );
}

/** `yaml` counts what aliases stand for, so that a few lines do not become a billion values. */
function toValue(document: Document, place: string): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return value;
  } catch (cause) {
    if (!(cause instanceof ReferenceError)) throw cause;
    throw new UsageError(
      "invalid-config",
      `${place}: Cannot read the YAML: ${lowerFirst(cause.message)}`,
      { cause },
    );
  }
}

/** Finds where the last thing of the path stands, or what it would stand in. */
function findOffset(document: Document, path: Path, isKey: boolean): number {
  const parent = document.getIn(path.slice(0, -1), true);
  const name = path.at(-1);
  if (isKey && isMap(parent)) {
    const pair = parent.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === name,
    );
    if (pair !== undefined && isScalar(pair.key) && pair.key.range) return pair.key.range[0];
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : findOffset(document, path.slice(0, -1), false);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
