/** Tells when a file may have changed: once for all that happens to it in a short time. */

import { lstatSync, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** How long it waits for more to happen: editors write, rename and write again. */
const settleMs = 150;

/** How often it looks where the system does not tell: at a link, or where no more can be watched. */
const lookMs = 1_000;

/** Also tells once soon after it has begun: what was known of the file may be older. Never keeps the process. */
export function watchFile(path: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const changeSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, settleMs).unref();
  };
  const watching = watchFolder(path, changeSoon);
  changeSoon();
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      watching[Symbol.dispose]();
    },
  };
}

/** The folder, because an editor may put another file in the place of this one; the system would go on watching the old one. */
function watchFolder(path: string, onEvent: () => void): Disposable {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return look(path, onEvent);
  const name = basename(path);
  let looking: Disposable | undefined;
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, file) => {
      if (file === null || file === name) onEvent();
    });
    watcher.on("error", () => {
      watcher.close();
      looking ??= look(path, onEvent);
    });
    return {
      [Symbol.dispose]: () => {
        watcher.close();
        looking?.[Symbol.dispose]();
      },
    };
  } catch {
    return look(path, onEvent); // there are too many watches, or the file system has none
  }
}

function look(path: string, onEvent: () => void): Disposable {
  const read = (): string => {
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    } catch {
      return ""; // it is gone for now; whoever reads it then says why it cannot be read
    }
  };
  let last = read();
  const timer = setInterval(() => {
    const now = read();
    if (now !== last) onEvent();
    last = now;
  }, lookMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
