/** The tool `compare_buckets`: how often each bucket of keywords had an AI Overview in a run, and how far that can be trusted. */

import { dataTrustSchema, defineTool, labelExternal, type GateTool } from "../../gate/index.ts";
import { closedSchema } from "../closed-schema.ts";
import { idInput } from "../ids.ts";
import { readProbe, type Probe, type Reading } from "../probe.ts";
import { addTallies, ratesMembers, toRates } from "../rates.ts";
import { keywordsFromSchema, warningOfCurrent } from "../run-keywords.ts";
import { resolveRun, runSchema } from "../runs.ts";
import { sumKeywords, tallyRun, type RunTally } from "../tally.ts";

export function createCompareBuckets(probe: Probe): GateTool {
  const group = closedSchema(ratesMembers);
  return defineTool({
    name: "compare_buckets",
    title: "Compare buckets",
    description: `Tells for each of the buckets ${probe.buckets.join(", ")} how many of its keywords had an AI Overview in one run: counts, rates (null where nothing was counted), 95 % Wilson intervals, and a warning where a rate rests on too few keywords. A failed or excluded observation never counts as "no AI Overview". Where two intervals overlap, the buckets may well be alike.`,
    risk: "read",
    openWorld: false,
    input: {
      type: "object",
      properties: {
        run_id: { ...idInput, description: "As list_runs gives it. Default: the default run" },
      },
      additionalProperties: false,
    },
    output: closedSchema({
      run: runSchema,
      keywords_from: keywordsFromSchema,
      buckets: {
        type: "array",
        minItems: 4,
        maxItems: 4,
        items: closedSchema({ bucket: { enum: probe.buckets }, ...ratesMembers }),
      },
      outside_buckets: { ...group, description: "Keywords in another bucket or in none" },
      all: { ...group, description: "All keywords of the run" },
      data_trust: dataTrustSchema,
      redacted: { type: "boolean" },
      truncated: { type: "boolean" },
    }),
    run: ({ run_id }, call) =>
      readProbe(probe, call, async (reading) => {
        const { id, shown } = await resolveRun(reading, run_id);
        const tally = await tallyRun(reading, id);
        warnOfLeftOut(reading, tally);
        return labelExternal({
          run: shown,
          keywords_from: tally.keywordsFrom,
          buckets: tally.buckets.map((of) => ({ bucket: of.bucket, ...toRates(of.tally) })),
          outside_buckets: toRates(addTallies(tally.otherBucket, tally.noBucket)),
          all: toRates(sumKeywords(tally)),
          redacted: reading.cleaner.isRedacted(),
          truncated: reading.cleaner.isCut(),
        });
      }),
  });
}

/** What stands in none of the four buckets is told, and why. */
function warnOfLeftOut({ warn }: Reading, tally: RunTally): void {
  const { keywordsFrom, older, outside, otherBucket, noBucket, copies } = tally;
  const { unclear, unknown_status } = sumKeywords(tally).outcomes;
  const says = (what: string, count: number): void => {
    if (count > 0) warn(`${what}: ${count}`);
  };
  if (keywordsFrom === "current") warn(warningOfCurrent);
  says("Rows of keywords not counted, as their keyword has another in this run", copies);
  says("Observations not counted, as their keyword has a later one in this run", older);
  says("Observations not counted, as their keyword is not among the run's keywords", outside);
  says("Observations excluded, as it is not stored whether there was an AI Overview", unclear);
  says("Observations excluded, as their status is neither ok nor failed", unknown_status);
  says("Keywords in a bucket that is none of the four, letter by letter", otherBucket.targets);
  says("Keywords in no bucket", noBucket.targets);
}
