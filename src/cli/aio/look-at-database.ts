/** Looks whether a database can be served, for whoever asks for the entry of a host. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { toPrintableLines, UsageError } from "../../protocol/index.ts";
import type { AioFlags } from "./aio-flags.ts";

/** Gives why it cannot, and nothing where it can, or where there is none yet. */
export async function findObstacles(
  database: string,
  { buckets, limit }: AioFlags,
): Promise<readonly string[]> {
  const path = resolve(database);
  if (!existsSync(path)) return [];
  const { openAio } = await import("../../aio/index.ts");
  try {
    const aio = await openAio({
      path,
      ...(buckets !== undefined && { buckets }),
      ...(limit !== undefined && { limits: limit }),
    });
    await aio.close();
    return [];
  } catch (thrown) {
    const { QueryError } = await import("../../sqlite/index.ts");
    if (!(thrown instanceof UsageError) && !(thrown instanceof QueryError)) throw thrown;
    return [toPrintableLines(`The host cannot start it as it is: ${thrown.message}`)];
  }
}
