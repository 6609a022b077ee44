/** What the three aio tools cost while the database grows a hundredfold, and the run that is asked for does not. */

import type { Bench, Case, Measured } from "../bench.ts";
import { placeCommand } from "../cpus.ts";
import { genkanBin } from "../sqlite/genkan-bin.ts";
import { listKeywords, makeSample, sizes } from "../sqlite/samples.ts";
import { ToolSession, type Arguments } from "../sqlite/session.ts";
import { percentile } from "../statistics.ts";

const calls = 200;
const warmCalls = 50;

export const sqliteAio: Bench = {
  name: "sqlite-aio",
  title: "A call of an aio tool on 10⁴, 10⁵ and 10⁶ observations, a run having 1 000 of them",
  figures: [
    { id: "e4", title: "10⁴, p50", unit: "ms", digits: 2 },
    { id: "e4-99", title: "p99", unit: "ms", digits: 2 },
    { id: "e5", title: "10⁵, p50", unit: "ms", digits: 2 },
    { id: "e5-99", title: "p99", unit: "ms", digits: 2 },
    { id: "e6", title: "10⁶, p50", unit: "ms", digits: 2 },
    { id: "e6-99", title: "p99", unit: "ms", digits: 2 },
    {
      id: "growth",
      title: "10⁶ / 10⁴, p50",
      unit: "×",
      digits: 2,
      goal: { of: "value", is: "≤", limit: 1.5 },
    },
  ],
  cases: ["list_runs", "compare_buckets", "get_keyword_evidence"].map((tool) => ({
    subject: "genkan",
    tool,
    what: tool,
  })),
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: true,
  measure,
};

async function measure({ what }: Case): Promise<Measured> {
  const measured: Record<string, number> = {};
  for (const size of sizes) {
    const durations = await timeTool(what, makeSample(size), warmCalls, calls);
    measured[size] = percentile(durations, 0.5) ?? 0;
    measured[`${size}-99`] = percentile(durations, 0.99) ?? 0;
  }
  return { ...measured, growth: (measured["e6"] ?? 0) / (measured["e4"] ?? 0) };
}

/** Gives how long each call took, in ms. */
export async function timeTool(
  tool: string,
  path: string,
  warmCount: number,
  count: number,
): Promise<readonly number[]> {
  const keywords = tool === "get_keyword_evidence" ? listKeywords(path, 50) : [];
  const list = Array.from({ length: warmCount + count }, (_, n): Arguments => {
    if (tool === "list_runs") return { limit: 10 };
    return tool === "compare_buckets" ? {} : { keyword: keywords[n % keywords.length] };
  });
  const command = [process.execPath, genkanBin, "aio", "--db", path] as const;
  await using session = await ToolSession.open(placeCommand("subject CPU", command));
  const durations: number[] = [];
  for await (const { result, ms } of session.callInTurn(tool, list)) {
    if (result["isError"] === true)
      throw new Error(`Wrong answer: ${JSON.stringify(result).slice(0, 300)}`);
    durations.push(ms);
  }
  return durations.slice(warmCount);
}
