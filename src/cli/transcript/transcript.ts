/** Turns the lines that pass into a text for people: the direction, what it is, and its JSON at most a hundred columns wide. */

import { toPrintable, type JsonObject, type Message } from "../../protocol/index.ts";
import type { Style } from "../screen.ts";
import { formatJson } from "./format-json.ts";
import type { ReadLine } from "./read-line.ts";
import { titleOf, type OpenRequests } from "./title.ts";

export const arrows = { sent: "→", received: "←" } as const;

const indent = "    ";
const layout = { width: 100 - indent.length, maxLines: 18 } as const;

/** Gives the text of a line, several lines long. Keeps what replies are to, and what has been shown before. */
export type Transcript = (line: ReadLine) => string;

export function openTranscript(paint: (style: Style, text: string) => string): Transcript {
  const requests: Readonly<Record<ReadLine["direction"], OpenRequests>> = {
    sent: new Map(),
    received: new Map(),
  };
  const shown = new Map<string, string>();
  const abbreviate =
    (title: string) =>
    (key: string, value: unknown): string | undefined => {
      if (key !== "_meta") return undefined;
      const json = JSON.stringify(value);
      const first = shown.get(json);
      if (first === undefined) shown.set(json, title);
      return first === undefined || first === title ? undefined : `{ … as in ${first} }`;
    };
  return ({ direction, text, messages, faults }) => {
    const arrow = arrows[direction];
    const other = direction === "sent" ? "received" : "sent";
    const colour = direction === "sent" ? "cyan" : "green";
    const strays = faults.map(
      ({ detail }) => `${arrow} ${paint("yellow", `not one message: ${toPrintable(detail, 200)}`)}`,
    );
    if (messages.length === 0) return [...strays, indent + toPrintable(text, 300)].join("\n");
    const parts = messages.flatMap((message) => {
      const title = titleOf(message, requests[direction], requests[other]);
      const place = title.split(" · ", 1).join();
      const lines = formatJson(toJson(message), { ...layout, abbreviate: abbreviate(place) });
      return [
        paint(colour, `${arrow} ${title}`),
        ...lines.map((line) => indent + paint("dim", line)),
      ];
    });
    return [...strays, ...parts].join("\n");
  };
}

/** Gives the members of a message as they stood on the wire, without those it did not have. */
function toJson({ kind: _, ...members }: Message): JsonObject {
  return Object.fromEntries(
    Object.entries({ jsonrpc: "2.0", ...members }).filter(([, value]) => value !== undefined),
  );
}
