/** The tool `list_runs`: the runs of the database, what each was to look at, and what it saw. */

import {
  createList,
  dataTrustSchema,
  defineTool,
  labelExternal,
  listSchema,
  type GateTool,
  type Whole,
} from "../../gate/index.ts";
import { readCount, readInteger, type Cells } from "../cells.ts";
import { closedSchema } from "../closed-schema.ts";
import { envelopeBytes, fitItems } from "../fit-items.ts";
import { idInput, idOrNullSchema, leastInteger, mostInteger, showId } from "../ids.ts";
import { readProbe, type Probe, type Reading } from "../probe.ts";
import { keywordsFromSchema, warningOfCurrent } from "../run-keywords.ts";
import { findDefaultRun, runMembers, showRun } from "../runs.ts";
import { mostRunsCounted } from "../statements.ts";
import { sumKeywords, tallyRun } from "../tally.ts";

const mostRuns = 100;

export function createListRuns(probe: Probe): GateTool {
  return defineTool({
    name: "list_runs",
    title: "List runs",
    description:
      "Lists the runs that looked for AI Overviews, the highest id first: under which conditions, how many keywords each was to look at, how many of its observations are ok, failed, and had an AI Overview, and which run the other tools use by default.",
    risk: "read",
    openWorld: false,
    input: {
      type: "object",
      properties: {
        limit: { type: "integer", minimum: 1, maximum: mostRuns, default: 20 },
        before: {
          ...idInput,
          description: "Only runs with a lower id: next_before of the page before",
        },
      },
      additionalProperties: false,
    },
    loops: ["limit"],
    output,
    run: ({ limit, before }, call) =>
      readProbe(probe, call, async (reading) => {
        const defaultRun = await findDefaultRun(reading);
        const { rows, hasMore } = await readPage(reading, limit, before);
        const described = [];
        for (const cells of rows) described.push(await describeRun(reading, cells, defaultRun));
        if (described.some(({ keywords_from }) => keywords_from === "current"))
          reading.warn(warningOfCurrent);
        const [first] = described;
        const fitting = fitItems(described, reading.resultBytes - envelopeBytes);
        const items = fitting.length === 0 && first !== undefined ? [first] : fitting;
        const isLast = !hasMore && items.length === described.length;
        const page = createList(items, await countRuns(reading));
        return labelExternal({
          ...page,
          truncated: page.truncated || reading.cleaner.isCut(),
          default_run_id: defaultRun === undefined ? null : showId(defaultRun),
          next_before: isLast ? null : (items.at(-1)?.run_id ?? null),
          redacted: reading.cleaner.isRedacted(),
        });
      }),
  });
}

async function readPage({ ask, probe }: Reading, limit: number, before?: number | string) {
  const last = before === undefined ? mostInteger : BigInt(before) - 1n;
  if (last < leastInteger) return { rows: [], hasMore: false };
  return ask(probe.statements.runs, { last: last > mostInteger ? mostInteger : last }, limit);
}

async function describeRun(reading: Reading, cells: Cells, defaultRun: bigint | undefined) {
  const id = readInteger(cells["id"]) ?? 0n; // the statement gives whole numbers only
  const tally = await tallyRun(reading, id);
  const { targets, outcomes } = sumKeywords(tally);
  const { aio, no_aio, failed, unclear, unknown_status } = outcomes;
  return {
    ...showRun(reading, cells, id, id === defaultRun),
    keywords_from: tally.keywordsFrom,
    targets,
    observations: tally.observations,
    ok: aio + no_aio + unclear,
    failed,
    unknown_status,
    older: tally.older,
    outside: tally.outside,
    aio_present: aio,
    aio_absent: no_aio,
    aio_unclear: unclear,
  };
}

async function countRuns({ ask, probe }: Reading): Promise<Whole> {
  const { rows } = await ask(probe.statements.runCount, {}, 1);
  const total = readCount(rows[0]?.["n"]);
  if (total <= mostRunsCounted) return { total };
  const reason = `There are more than ${mostRunsCounted} runs, and nobody counted further`;
  return { total: null, reason, truncated: true };
}

const count = { type: "integer", minimum: 0 } as const;

const list = listSchema(
  closedSchema({
    ...runMembers,
    keywords_from: keywordsFromSchema,
    targets: { ...count, description: "Keywords that the run was to look at" },
    observations: {
      ...count,
      description: "All that are stored: ok + failed + unknown_status + older + outside",
    },
    ok: { ...count, description: "aio_present + aio_absent + aio_unclear" },
    failed: { ...count, description: "Nothing is known of an AI Overview" },
    unknown_status: count,
    older: { ...count, description: "Their keyword has a later observation in the run" },
    outside: { ...count, description: "Their keyword is not among the run's" },
    aio_present: count,
    aio_absent: count,
    aio_unclear: { ...count, description: "Whether there was one is not stored" },
  }),
  mostRuns,
);

const { total_reason, ...always } = list.properties;

const members = closedSchema({
  ...always,
  default_run_id: idOrNullSchema,
  next_before: { ...idOrNullSchema, description: "For the next page; null on the last" },
  data_trust: dataTrustSchema,
  redacted: { type: "boolean" },
});

const output = { ...members, properties: { ...members.properties, total_reason } } as const;
