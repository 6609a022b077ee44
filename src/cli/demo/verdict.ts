/** Judges a finished session: was stdout the protocol's alone, did everything get what it is due, and how did the process end. */

import type { CloseReport } from "../../client/index.ts";
import type { ReadLine } from "../transcript/read-line.ts";

export interface Evidence {
  /** Every line that passed, in order. */
  readonly lines: readonly ReadLine[];
  /** What the steps found. */
  readonly complaints: readonly string[];
  readonly stderrTail: string;
  /** What closing took. */
  readonly close: CloseReport;
}

export interface Finding {
  readonly about: "stdout" | "replies" | "calls" | "stderr" | "end";
  readonly isGood: boolean;
  readonly text: string;
}

export function judge({ lines, complaints, stderrTail, close }: Evidence): readonly Finding[] {
  return [
    judgeStdout(lines),
    judgeReplies(lines),
    {
      about: "calls",
      isGood: complaints.length === 0,
      text: complaints.length === 0 ? "each one gave what it should" : complaints.join("; "),
    },
    {
      about: "stderr",
      isGood: true, // it is free for logging
      text:
        stderrTail === ""
          ? "nothing"
          : `${count(stderrTail.trimEnd().split("\n").length, "line")}, shown above`,
    },
    judgeEnd(close),
  ];
}

function judgeStdout(lines: readonly ReadLine[]): Finding {
  const received = lines.filter(({ direction }) => direction === "received");
  const bad = received.filter(({ faults }) => faults.length > 0);
  if (bad.length === 0)
    return {
      about: "stdout",
      isGood: true,
      text: `${count(received.length, "line")}, each one protocol message`,
    };
  const first = bad[0]?.faults[0]?.detail ?? "";
  const text = `${bad.length} of ${count(received.length, "line")} not one protocol message, the first: ${first}`;
  return { about: "stdout", isGood: false, text };
}

/** Holds when each request has one reply, and nothing else has: a notification gets none. */
function judgeReplies(lines: readonly ReadLine[]): Finding {
  const asked: unknown[] = [];
  const answered: unknown[] = [];
  let told = 0;
  for (const { direction, messages } of lines) {
    for (const message of messages) {
      if (direction === "received" && (message.kind === "result" || message.kind === "error"))
        answered.push(message.id);
      if (direction === "sent" && message.kind === "request") asked.push(message.id);
      if (direction === "sent" && message.kind === "notification") told++;
    }
  }
  const isGood = asked.length === answered.length && asked.every((id) => answered.includes(id));
  const sent = `${count(asked.length, "request")} and ${count(told, "notification")} sent`;
  const came = `${count(answered.length, "reply", "replies")} came`;
  return {
    about: "replies",
    isGood,
    text: `${sent}, ${came}, ${isGood ? "one to each request" : "expected one to each request"}`,
  };
}

function judgeEnd(close: CloseReport): Finding {
  if (close.kind === "connection")
    return { about: "end", isGood: true, text: "the connection is closed, the server lives on" };
  const { step, exitCode, signal, leftovers, durationMs } = close;
  const status = signal === null ? `exit code ${exitCode}` : `by ${signal}`;
  const how = {
    "already exited": "before its stdin was closed",
    "stdin closed": "by itself when its stdin was closed",
    SIGTERM: "only after SIGTERM",
    SIGKILL: "only after SIGKILL",
  }[step];
  const left = leftovers === "none" ? "" : `; what it had started was ended by ${leftovers}`;
  return {
    about: "end",
    isGood: step === "stdin closed" && exitCode === 0 && leftovers === "none",
    text: `${how}, ${status}, after ${Math.round(durationMs)} ms${left}`,
  };
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
