/** Prints the transcript of a connection on stderr while it runs: what `--verbose` asks for. */

import type { LineObserver } from "../../transport/index.ts";
import type { Screen } from "../screen.ts";
import { readLine } from "./read-line.ts";
import { openTranscript } from "./transcript.ts";

export function showTranscript(screen: Screen): LineObserver {
  const transcript = openTranscript((style, text) => screen.paint(style, text, "note"));
  return (line) => screen.note(transcript(readLine(line)));
}
