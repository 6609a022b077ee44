/** One visit to a server: connects, uses it, ends it, and puts what fails into a sentence and an exit code. */

import {
  connect,
  type Client,
  type ConnectOptions,
  type ConnectTarget,
} from "../../client/index.ts";
import type { Exit } from "../exit-codes.ts";
import { explainError, type Phase } from "../explain-error.ts";
import { watchInterruption } from "../interruption.ts";
import { reportProblem } from "../report-problem.ts";
import type { Screen } from "../screen.ts";
import type { Spinner } from "../spinner.ts";

export interface Visit {
  readonly client: Client;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly spinner: Spinner;
}

export interface VisitPlan {
  readonly target: ConnectTarget;
  readonly options: ConnectOptions;
  /** What the spinner says until there is a connection. */
  readonly label: string;
  readonly use: (visit: Visit) => Promise<Exit>;
  /** Called when the server has ended, however the visit went. */
  readonly after?: (client: Client) => void;
}

/** Gives how it ended: what `use` gives, or what the error that it threw amounts to. */
export async function visit(screen: Screen, plan: VisitPlan): Promise<Exit> {
  using interruption = watchInterruption();
  using spinner = screen.spin(plan.label);
  const { signal } = interruption;
  let phase: Phase = "connecting";
  let client: Client | undefined;
  try {
    client = await connect(plan.target, { ...plan.options, signal });
    phase = "connected";
    return await plan.use({ client, signal, spinner });
  } catch (thrown) {
    const explanation = explainError(thrown, phase);
    if (explanation === undefined) throw thrown;
    if (explanation.exit !== "interrupted") reportProblem(screen, explanation);
    return explanation.exit;
  } finally {
    spinner.say("ending the server");
    await client?.close();
    if (client !== undefined) plan.after?.(client);
  }
}
