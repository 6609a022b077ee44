/** What a bench is: the figures it gives, the cases it measures, and how one case is measured once. */

import type { Revision } from "./messages.ts";

export interface Bench {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly cases: readonly Case[];
  /** How often each case is measured unless the command line says otherwise. */
  readonly rounds: number;
  /** Rounds of the same before them that are not counted. */
  readonly warmUps: number;
  /** Runs each case in its own process; the driver keeps to one CPU meanwhile. */
  readonly isPinned: boolean;
  measure(each: Case): Promise<Measured>;
}

export interface Case {
  /** The name of the subject; `bare` is what the others are compared with. */
  readonly subject: string;
  /** Absent where the revision makes no difference. */
  readonly revision?: Revision;
  /** What is called, where a bench calls several. */
  readonly tool?: string;
  /** The program, or for the weight the packages. */
  readonly what: string;
}

/** By the id of the figure. */
export type Measured = Readonly<Record<string, number>>;

export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  /** What Genkan must reach: the value itself, or the ratio to the bare subject. */
  readonly goal?: Goal;
  /** Whether Genkan must also be below every peer: each subject that is neither it nor the bare one. */
  readonly isToLead?: boolean;
}

export interface Goal {
  readonly of: "value" | "ratio";
  readonly is: "≤" | "≥";
  readonly limit: number;
}

export function isMet({ is, limit }: Goal, reached: number): boolean {
  return is === "≤" ? reached <= limit : reached >= limit;
}
