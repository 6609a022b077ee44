/** Hears the names of what changes in a folder, so that also a file is known that comes and goes. */

import { watch } from "node:fs";
import { writeName } from "./write-name.ts";

export interface FolderWatch extends Disposable {
  readonly names: ReadonlySet<string>;
  /** Whether every name was heard, as far as that is known. */
  readonly isWhole: boolean;
}

/** Gives `undefined` where the system has no such ears: only Linux says what happens from now on, and nothing from before. */
export function watchFolder(
  folder: Buffer,
  platform: string,
  maxNames: number,
): FolderWatch | undefined {
  if (platform !== "linux") return undefined;
  const names = new Set<string>();
  let isWhole = true;
  try {
    // What happens to the folder itself is told by the last part of its path: as ".", it is no entry's name.
    const path = Buffer.concat([folder, Buffer.from("/.")]);
    const watcher = watch(path, { encoding: "buffer", persistent: false }, (_, name) => {
      const written = name === null ? "." : writeName(name);
      if (written === ".") return;
      if (names.size >= maxNames) isWhole = false;
      else names.add(written);
    });
    watcher.on("error", () => {
      isWhole = false;
    });
    return {
      names,
      get isWhole() {
        return isWhole;
      },
      [Symbol.dispose]: () => watcher.close(),
    };
  } catch {
    return undefined; // the system has no watch left to give, or the file system takes none
  }
}
