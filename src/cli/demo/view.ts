/** The two ways to show the demo: for reading, and byte by byte. */

import { toPrintableLines, showControls } from "../../protocol/index.ts";
import type { RawLine } from "../../transport/index.ts";
import type { Screen } from "../screen.ts";
import type { ReadLine } from "../transcript/read-line.ts";
import { arrows, openTranscript } from "../transcript/transcript.ts";
import type { Finding } from "./verdict.ts";

export interface View {
  /** Announces a step. */
  title(text: string): void;
  line(raw: RawLine, read: ReadLine): void;
  verdict(findings: readonly Finding[], stderrTail: string): void;
}

export function openReadableView(screen: Screen): View {
  const transcript = openTranscript((style, text) => screen.paint(style, text, "print"));
  let count = 0;
  return {
    title: (text) => {
      const number = `${++count}. `;
      screen.print(`${count === 1 ? "" : "\n"}${screen.paint("bold", number + text, "print")}`);
    },
    line: (_raw, read) => screen.print(transcript(read)),
    verdict: (findings, stderrTail) => showVerdict(screen, "print", findings, stderrTail),
  };
}

/** Prints the bytes as they are; on a terminal with the control characters shown, for it would act upon them. */
export function openRawView(screen: Screen): View {
  return {
    title: () => {},
    line: ({ direction, bytes }, { text }) => {
      if (screen.isTerminal) return screen.print(`${arrows[direction]} ${showControls(text)}`);
      screen.printBytes(Buffer.concat([Buffer.from(`${arrows[direction]} `), bytes]));
      if (bytes.at(-1) !== 0x0a) screen.print("");
    },
    verdict: (findings, stderrTail) => showVerdict(screen, "note", findings, stderrTail),
  };
}

function showVerdict(
  screen: Screen,
  to: "print" | "note",
  findings: readonly Finding[],
  stderrTail: string,
): void {
  const show = (text: string): void => screen[to](text);
  for (const line of stderrTail === "" ? [] : toPrintableLines(stderrTail.trimEnd()).split("\n"))
    show(`${screen.paint("yellow", "stderr", to)} ${line}`);
  show(`\n${screen.paint("bold", "Verdict", to)}`);
  for (const { about, isGood, text } of findings) {
    const mark = isGood ? screen.paint("green", "good", to) : screen.paint("red", "bad ", to);
    show(`  ${mark}  ${about.padEnd(8)} ${text}`);
  }
}
