/** Runs the program of a client, which measures itself; see `client-loop.js`. */

import { text } from "node:stream/consumers";
import type { Measured } from "./bench.ts";
import { nodeCommand } from "./cpus.ts";
import { toRecord, type Revision } from "./messages.ts";
import { Subject } from "./process.ts";

export interface Job {
  readonly flights: readonly [number, number];
  readonly warmMs: number;
  readonly runMs: number;
}

/** What a client calls: a program that it starts, or a URL. */
type Server =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string };

/** Gives the rates of a client at two numbers of calls in flight. The client checks the replies. */
export async function runClient(
  program: string,
  job: Job & Server & { readonly revision: Revision },
): Promise<Measured> {
  await using client = new Subject(nodeCommand("driver CPU", program, JSON.stringify(job)));
  const printed = await Promise.race([text(client.stdout), client.exited.then(() => "")]);
  if (printed === "") return await client.failure; // before it is disposed of, which no longer counts as one
  const said: unknown = JSON.parse(printed);
  const { rates } = toRecord(said);
  const { 0: one, 1: many } = toRecord(rates);
  if (typeof one === "number" && typeof many === "number") return { one, many };
  throw new Error(`The client printed ${printed}`);
}
