/** Lays out what a configuration comes to, and what came of trying it. */

import type { ExplainedDoor, ExplainedTool, Explanation } from "../../config/index.ts";
import type { Conduct, GateLimits } from "../../gate/index.ts";
import { toPrintable } from "../../protocol/index.ts";
import type { Paint } from "../screen.ts";
import { layOutRows } from "./lay-out.ts";
import type { Trial } from "./try-examples.ts";

export function formatExplanation(explanation: Explanation, paint: Paint): readonly string[] {
  const {
    file,
    name,
    version,
    state,
    readsWithoutState,
    principal,
    trustedClients,
    telemetry,
    doors,
    tools,
    limits,
    ownLimits,
    conduct,
    principals,
    secrets,
  } = explanation;
  const writes = tools.filter(({ risk }) => risk === "write");
  const title = (text: string): string => paint("bold", text);
  return [
    `${title(toPrintable(name, 100))} ${toPrintable(version, 40)}  ${toPrintable(file, 300)}`,
    ...layOutRows([
      ["  state", state === null ? "none: nothing is recorded" : toPrintable(state, 300)],
      ...(state === null
        ? []
        : [
            [
              "  without it",
              readsWithoutState ? "reads go on, writes are refused" : "every call is refused",
            ],
          ]),
      ["  who calls", `${toPrintable(principal, 100)}, when nobody has proven to be somebody`],
      ...(trustedClients.length === 0
        ? []
        : [
            ["  may ask to write", `the clients of ${toPrintable(trustedClients.join(", "), 200)}`],
          ]),
      ...(telemetry ? [["  telemetry", "each call is told to OpenTelemetry"]] : []),
    ]),
    "",
    title("Tools"),
    ...layOutRows(tools.map(describeTool)),
    ...doors.flatMap(({ name: door, kind, facts }) =>
      ["", title(`The door ${toPrintable(door, 60)} (${kind})`)].concat(
        layOutRows(facts.map(describeFact)),
      ),
    ),
    "",
    title("What may be written where"),
    ...(writes.length === 0
      ? ["  nothing: there is no tool with a side effect"]
      : writes.flatMap((tool) => describeWrite(tool, conduct))),
    "",
    title("Limits"),
    ...describeLimits(limits, ownLimits),
    ...Object.entries(principals).flatMap(([who, own]) =>
      ["", title(`For the principal ${toPrintable(who, 100)}`)].concat(describeOwn(own)),
    ),
    ...(secrets.length === 0 ? [] : ["", title("Secrets")]),
    ...layOutRows(
      secrets.map((secret) => [
        `  secret://${secret.name}`,
        `from ${{ env: "the environment", file: "a file", command: "a command" }[secret.from]}`,
        `for ${secret.tools === undefined ? "any tool" : secret.tools.join(", ")}`,
        `at ${secret.origins === undefined ? "any origin" : secret.origins.join(", ")}`,
      ]),
    ),
  ];
}

export function formatTrial(
  warnings: readonly string[],
  { tried, failures }: Trial,
  paint: Paint,
): readonly string[] {
  const failed = new Set(failures.map((text) => text.split(" fails: ")[0])).size;
  const lines = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => `  ${toPrintable(text, 1000)}`);
  return [
    ...(warnings.length === 0 ? [] : ["", paint("yellow", "Warnings"), ...lines(warnings)]),
    ...(tried === 0 ? [] : ["", paint("bold", "Examples")]),
    ...(tried === 0 ? [] : [`  ${tried - failed} of ${tried} gave what they should`]),
    ...lines(failures).map((line) => paint("red", line)),
  ];
}

function describeFact({ tool, name, text }: ExplainedDoor["facts"][number]): readonly string[] {
  return [`  ${tool ?? ""}${tool === undefined ? "" : " "}${name}`, toPrintable(text, 1000)];
}

function describeTool({
  name,
  door,
  kind,
  risk,
  limits,
  isDenied,
  maxima,
}: ExplainedTool): readonly string[] {
  const { deadlineMs, callsPerMinute, running, resultBytes, attempts } = limits;
  return [
    `  ${name}`,
    isDenied ? `${risk}, denied` : risk,
    `door ${toPrintable(door, 60)} (${kind})`,
    `${deadlineMs} ms, ${callsPerMinute} a minute, ${running} at once, ${resultBytes} bytes${attempts > 1 ? `, ${attempts} attempts` : ""}`,
    Object.entries(maxima)
      .map(([argument, most]) => `${argument} at most ${most}`)
      .join(", "),
  ];
}

function describeWrite(
  { name, isDenied, secrets }: ExplainedTool,
  { origins, writeHours }: Conduct,
): readonly string[] {
  if (isDenied) return [`  ${name}  never: conduct denies it`];
  const where =
    origins === undefined
      ? "wherever the tool acts"
      : origins.length === 0
        ? "at no origin"
        : `at ${origins.join(", ")} alone`;
  const when =
    writeHours === undefined
      ? "at any hour"
      : `from ${writeHours.from} to ${writeHours.to} o'clock`;
  const by =
    secrets.length === 0 ? "" : `, with ${secrets.map((each) => `secret://${each}`).join(", ")}`;
  return [
    `  ${name}  ${where}, ${when}${by}; only by a grant:`,
    `      genkan grant <task> --tools ${name} --uses 1 --for 10m --reason "…"`,
  ];
}

function describeLimits(limits: GateLimits, own: readonly string[]): readonly string[] {
  const rows = Object.entries(limits).map(([name, value]) => [
    `  ${name}`,
    String(value),
    own.includes(name) ? "set here" : "by default",
  ]);
  return layOutRows(rows);
}

function describeOwn({
  token,
  limits = {},
  conduct = {},
}: Explanation["principals"][string]): readonly string[] {
  const rows = Object.entries({ ...(token !== undefined && { token }), ...limits, ...conduct }).map(
    ([name, value]) => [`  ${name}`, toPrintable(JSON.stringify(value), 300)],
  );
  return layOutRows(rows);
}
