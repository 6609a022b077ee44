/** Keeps a JSON value in a file that only its owner may read. */

import { chmod, open, rename, rm } from "node:fs/promises";
import { makeFolder } from "./make-folder.ts";

/** How large such a file may be. */
const maxSecretBytes = 1024 * 1024;

/** Gives the value, or `undefined` where there is no file. Throws for one that others may read, and for one that is no JSON. */
export async function readSecretFile(path: string): Promise<unknown> {
  let file;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  let text: string;
  try {
    const { mode, size } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      const is = (mode & 0o777).toString(8).padStart(4, "0");
      throw new Error(
        `Cannot read "${path}": its mode is ${is}, expected 0600 (chmod 600 ${path})`,
      );
    }
    if (size > maxSecretBytes)
      throw new Error(
        `Cannot read "${path}": it is over ${maxSecretBytes} bytes, expected tokens alone`,
      );
    text = await file.readFile("utf8"); // of what was looked at: what the path names may have changed
  } finally {
    await file.close();
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Cannot read "${path}": it is not JSON, expected tokens (rm ${path})`); // the parser would quote a secret
  }
}

/** Writes the value beside the file and moves it there, so that a reader sees the old one or the new one. */
export async function writeSecretFile(path: string, value: unknown): Promise<void> {
  const directory = path.replace(/[/\\][^/\\]*$/, "");
  if (directory !== path && directory !== "") makeFolder(directory);
  const draft = `${path}.${crypto.randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.close();
    await chmod(draft, 0o600); // whatever the umask made of it
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
