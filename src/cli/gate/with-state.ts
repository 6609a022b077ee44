/** Runs one command on a gate's state, beside the servers that use it, and puts what fails into a sentence and an exit code. */

import type { StateDesk, StateDeskOptions } from "../../gate/index.ts";
import type { Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { reportProblem } from "../report-problem.ts";
import { findStateDir, type StateFlags } from "./state-flags.ts";

export function withState(
  run: Run,
  flags: StateFlags,
  use: (desk: StateDesk) => Exit | Promise<Exit>,
  options?: StateDeskOptions,
): Promise<Exit> {
  return reportStateErrors(run, async () => {
    const stateDir = await findStateDir(flags);
    const { openStateDesk } = await import("../../gate/index.ts");
    using desk = openStateDesk(stateDir, options);
    return await use(desk);
  });
}

/** Gives what `work` gives, or how a state ends it that cannot be used. */
export async function reportStateErrors({ screen }: Run, work: () => Promise<Exit>): Promise<Exit> {
  try {
    return await work();
  } catch (thrown) {
    const { StateError } = await import("../../gate/index.ts");
    if (!(thrown instanceof StateError)) throw thrown;
    reportProblem(screen, { text: thrown.message, hint: thrown.hint });
    return "state";
  }
}
