/**
 * The program of the witness: a process of its own, for one that holds an SQLite connection to a file would lose its locks by
 * reading the file. It opens no SQLite, changes nothing, and ends when nobody asks any more.
 */

import process from "node:process";
import { LookRefusal } from "./look-refusal.ts";
import { isWitnessRequest, type WitnessReply, type WitnessRequest } from "./witness-talk.ts";
import { createWitness } from "./witness.ts";

const witness = createWitness(process.platform);

process.on("message", (request: unknown) => {
  if (!isWitnessRequest(request)) throw new Error("The witness of a receipt was asked nonsense");
  void reply(request).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());

async function reply(request: WitnessRequest): Promise<WitnessReply> {
  try {
    return { sighting: await witness.look(request) };
  } catch (error) {
    if (!(error instanceof LookRefusal)) throw error;
    const { reason, path, found } = error;
    return { refusal: { reason, path, found } };
  }
}
