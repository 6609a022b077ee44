/** Why a database cannot be looked at, so that nothing about it can be proven. */

import { UsageError } from "../../protocol/index.ts";

/** Each with what is the case; `%` stands for what was found. */
export const lookRefusals = {
  "no-such-file": "there is no such file, expected a database",
  folder: "it is a folder, expected a file",
  link: "it is a link without an end, expected a file",
  fifo: "it is a FIFO, expected a file",
  socket: "it is a socket, expected a file",
  device: "it is a device, expected a file",
  unreachable: "it cannot be reached (%), expected a file that this user may read",
  unreadable: "it cannot be read (%), expected a file that this user may read",
  "unreadable-sidecar": "% beside it cannot be read, expected files that this user may read",
  "too-big": "it has more than % bytes, expected what can be hashed in minutes",
  "too-big-sidecar": "% beside it is too big, expected what can be hashed in minutes",
  "unlisted-folder": "its folder cannot be listed (%), expected one that this user may list",
  "crowded-folder": "its folder has more than % entries, expected fewer: all of them are compared",
} as const;

export type LookRefusalReason = keyof typeof lookRefusals;

export class LookRefusal extends UsageError {
  readonly reason: LookRefusalReason;
  readonly path: string;
  readonly found: string;

  constructor(reason: LookRefusalReason, path: string, found = "") {
    const what = lookRefusals[reason].replace("%", () => found);
    super("cannot-look", `Cannot look at ${JSON.stringify(path)}: ${what}`);
    this.reason = reason;
    this.path = path;
    this.found = found;
  }
}

export function isLookRefusalReason(value: unknown): value is LookRefusalReason {
  return typeof value === "string" && Object.hasOwn(lookRefusals, value);
}
