/** Records of the audit log that were moved out: a file in the folder of archives, one record a line. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../transport/index.ts";
import type { Archive } from "./audit-rotation.ts";
import type { ReadArchive } from "./audit-verdict.ts";
import { toStateError } from "./state-error.ts";

/** Where the archives of a state are. */
export function archiveFolderOf(stateDir: string): string {
  return join(stateDir, "audit");
}

/** Makes an archive of files such as `audit-1-10000.jsonl` in a folder, for its owner alone. */
export function createAuditArchive(folder: string): Archive {
  return (from, to, lines) => {
    const name = `audit-${from}-${to}.jsonl`;
    const path = join(folder, name);
    try {
      makeFolder(folder);
      const file = openSync(`${path}.part`, "w", 0o600);
      try {
        for (const line of lines) writeSync(file, `${line}\n`);
        fsyncSync(file); // before the log forgets them
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.part`, path);
    } catch (thrown) {
      throw toStateError(thrown, "write the audit archive", path) ?? thrown;
    }
    return name;
  };
}

/** Reads the archives of a folder; a file that is not there is `undefined`. Throws a `StateError` for one that cannot be read. */
export function createArchiveReader(folder: string): ReadArchive {
  return (name) => {
    const path = join(folder, name);
    if (!archiveName.test(name) || !existsSync(path)) return undefined; // the log may have been made to name any file
    try {
      return readFileSync(path, "utf8").split("\n").slice(0, -1);
    } catch (thrown) {
      throw toStateError(thrown, "read the audit archive", path) ?? thrown;
    }
  };
}

const archiveName = /^audit-\d+-\d+\.jsonl$/;
