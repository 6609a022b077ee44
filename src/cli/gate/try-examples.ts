/** Tries the examples of a configuration: by a real client at a real server, behind a gate that records nothing. */

import { connect } from "../../client/index.ts";
import type { Configuration, OpenedDoors } from "../../config/index.ts";
import { openGate } from "../../gate/index.ts";
import { isObject } from "../../protocol/index.ts";
import { createServer, serve } from "../../server/index.ts";
import { createMemoryPair } from "../../transport/index.ts";

export interface Trial {
  readonly tried: number;
  /** A sentence for each example that gave something else than it should. */
  readonly failures: readonly string[];
}

export async function tryExamples(
  { source, settings }: Configuration,
  { doors, tools }: OpenedDoors,
  report: (text: string) => void,
): Promise<Trial> {
  const served = new Set(tools.map(({ tool }) => tool.name));
  const examples = doors.flatMap(({ name, open }) =>
    (open.examples ?? [])
      .filter(({ tool }) => served.has(tool))
      .map((example) => ({ example, place: ["doors", name].concat(example.path.map(String)) })),
  );
  if (examples.length === 0) return { tried: 0, failures: [] };
  await using closing = new AsyncDisposableStack();
  const { limits } = settings;
  const gate = closing.use(openGate({ report, ...(limits !== undefined && { limits }) }));
  const server = closing.use(createServer({ name: settings.name, version: "1.0.0", report }));
  gate.addTo(
    server,
    tools.filter(({ tool }) => tool.risk === "read").map(({ tool }) => tool),
  );
  const [near, far] = await createMemoryPair();
  void serve(server, far);
  const client = closing.use(await connect({ transport: near }));
  const failures: string[] = [];
  for (const { example, place } of examples) {
    const { tool, arguments: given, findDifferences } = example;
    const { structuredContent } = await client.callTool(tool, given);
    const envelope = isObject(structuredContent) ? structuredContent : {};
    for (const what of findDifferences(envelope))
      failures.push(
        `${source.locate(place)}: The example "${place.join(".")}" of ${tool} fails: ${what}`,
      );
  }
  return { tried: examples.length, failures };
}
