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
    const watcher = watch(folder, { encoding: "buffer", persistent: false }, (_, name) => {
      if (names.size >= maxNames) isWhole = false;
      else if (name !== null) names.add(writeName(name));
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
