/** The runs of the sample, one a week: most of them are complete, and some are what a tool must not take for a result. */

export type Fate = "completed" | "empty" | "unfinished" | "failed" | "cancelled";

export interface SampleRun {
  readonly id: number;
  readonly fate: Fate;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly completedAt: number | null;
  readonly status: "completed" | "running" | "failed" | "cancelled";
  readonly device: "desktop" | "mobile";
  readonly location: string | null;
  readonly note: string | null;
  /** How many keywords it came to. */
  readonly reached: number;
}

const firstStart = Date.UTC(2026, 0, 5, 6);
const weekMs = 7 * 24 * 3_600_000;

/** The time one keyword takes. */
export const keywordMs = 2_000;

export function createRuns(count: number, keywords: number): readonly SampleRun[] {
  const runs = Array.from({ length: count }, (_, index) => createRun(index + 1, count, keywords));
  const last = runs.findLast(({ fate }) => fate === "completed");
  const [before] = runs.slice(count - 4, count - 3);
  if (count < 7 || last === undefined || before === undefined) return runs;
  // Two runs may end at the same moment: which one counts is then a matter of a rule.
  const { completedAt } = last;
  const note = "ends at the same moment as the next run";
  return runs.with(before.id - 1, { ...before, completedAt, note });
}

function createRun(id: number, count: number, keywords: number): SampleRun {
  const fate = chooseFate(id, count);
  const reached = Math.ceil(keywords * share[fate]);
  const startedAt = firstStart + (id - 1) * weekMs;
  const hasEnd = fate === "completed" || fate === "empty";
  return {
    id,
    fate,
    startedAt,
    completedAt: hasEnd ? startedAt + reached * keywordMs + 60_000 : null,
    status: statuses[fate],
    device: id % 2 === 1 ? "desktop" : "mobile",
    location: id % 3 === 0 ? "Tokyo, Japan" : null,
    note: notes[fate],
    reached,
  };
}

/** The newest runs are the ones to be careful with: one that goes on, and before it one that saw nothing. */
function chooseFate(id: number, count: number): Fate {
  if (id === count && count >= 2) return "unfinished";
  if (id === count - 1 && count >= 3) return "empty";
  if (id === 2 && count >= 5) return "failed";
  if (id === 3 && count >= 8) return "cancelled";
  return "completed";
}

const share = { completed: 1, empty: 0, unfinished: 0.5, failed: 0.4, cancelled: 0.2 } as const;

const statuses = {
  completed: "completed",
  empty: "completed",
  unfinished: "running",
  failed: "failed",
  cancelled: "cancelled",
} as const;

const notes: Readonly<Record<Fate, string | null>> = {
  completed: null,
  empty: "the network was down all the time",
  unfinished: null,
  failed: "the disk was full",
  cancelled: "stopped by hand",
};
