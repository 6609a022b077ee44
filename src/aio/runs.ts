/** Which run a call is about: the one that it names, or the default; and what is told of a run. */

import { ToolFailure } from "../gate/index.ts";
import { readFlag, readInteger, type Cells } from "./cells.ts";
import { closedSchema } from "./closed-schema.ts";
import { fieldLimits } from "./field-limits.ts";
import { idSchema, parseId, showId } from "./ids.ts";
import type { Reading } from "./probe.ts";

export interface Run {
  readonly id: bigint;
  readonly shown: ShownRun;
}

export type ShownRun = ReturnType<typeof showRun>;

/**
 * The one resolver of the three tools. The default is the latest completed run with at least one observation: by the time of its
 * end, then of its start, then by its id. A run that is named may be any; what is not complete about it is said.
 *
 * Throws a `ToolFailure` (`not_found`) for a run that is not there.
 */
export async function resolveRun(
  reading: Reading,
  argument: number | string | undefined,
): Promise<Run> {
  const named = argument === undefined ? null : parseId(argument);
  const { rows } =
    named === undefined
      ? { rows: [] }
      : await reading.ask(reading.probe.statements.run, { run: named }, 1);
  const [cells] = rows;
  const id = readInteger(cells?.["id"]);
  if (cells === undefined || id === undefined)
    throw argument === undefined ? noDefault() : noRun(argument);
  const isDefault = readInteger(cells["default_id"]) === id;
  const shown = showRun(reading, cells, id, isDefault);
  warnOfUnfinished(reading, cells, shown);
  return { id, shown };
}

/** Gives the id of the default run; `undefined` where no run can be it. */
export async function findDefaultRun(reading: Reading): Promise<bigint | undefined> {
  const { rows } = await reading.ask(reading.probe.statements.defaultRun, {}, 1);
  return readInteger(rows[0]?.["id"]);
}

export function showRun({ cleaner }: Reading, cells: Cells, id: bigint, isDefault: boolean) {
  const read = (column: string, limit: number): string | null => cleaner.text(cells, column, limit);
  return {
    run_id: showId(id),
    is_default: isDefault,
    is_completed: readFlag(cells["is_completed"]),
    status: read("status", fieldLimits.status),
    started_at: read("started_at", fieldLimits.time),
    completed_at: read("completed_at", fieldLimits.time),
    engine: read("engine", fieldLimits.engine),
    locale: read("locale", fieldLimits.locale),
    device: read("device", fieldLimits.device),
    location: read("location", fieldLimits.location),
    note: read("note", fieldLimits.note),
  };
}

function noRun(argument: number | string): ToolFailure {
  return new ToolFailure("not_found", `There is no run ${argument} in this database`, {
    hint: "Call list_runs for the ids of its runs, or leave run_id out for the default run",
    effect: "none",
  });
}

function noDefault(): ToolFailure {
  const what =
    "There is no completed run with an observation in this database, so there is no default";
  return new ToolFailure("not_found", what, {
    hint: "Call list_runs for its runs: each of them can be looked at by its run_id",
    effect: "none",
  });
}

function warnOfUnfinished(
  { warn }: Reading,
  cells: Cells,
  { run_id, is_completed }: ShownRun,
): void {
  if (!is_completed)
    warn(`Run ${run_id} is not completed: what it says may be a part, and can change`);
  if (!readFlag(cells["has_observation"])) warn(`Run ${run_id} has no observation`);
}

const text = { type: ["string", "null"] } as const;

export const runMembers = {
  run_id: idSchema,
  is_default: {
    type: "boolean",
    description: "Whether it is the run that is meant without run_id",
  },
  is_completed: { type: "boolean" },
  status: text,
  started_at: text,
  completed_at: text,
  engine: text,
  locale: text,
  device: text,
  location: text,
  note: text,
} as const;

export const runSchema = closedSchema(runMembers);
