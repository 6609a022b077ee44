/** What a kind of door is: a file of `doors/` exports one, and `doors/doors.ts` names it. No door knows the file. */

import type { GateTool } from "../gate/index.ts";
import type { ObjectDescription, Settings } from "./description.ts";
import { fits } from "./find-faults.ts";

/** Where a door stands. */
export interface DoorPlace {
  /** The folder of the configuration: paths in it count from here. */
  readonly folder: string;
}

export interface OpenDoor {
  readonly tools: readonly GateTool[];
  /** Gives back what the door holds; runs when the server ends. */
  close?(): void | Promise<void>;
}

export interface DoorKind {
  readonly kind: string;
  /** What may stand beside `kind`, `tools` and `limits`. */
  readonly shape: ObjectDescription;
  /** Throws a `UsageError` for what cannot be opened; of a `DoorError` the key is told too. */
  open(settings: unknown, place: DoorPlace): Promise<OpenDoor>;
  /** Names the SQLite files that `open` would read, from the root, and opens none: a receipt looks at them before that. */
  listDatabases(settings: unknown, place: DoorPlace): readonly string[];
}

/** A door cannot be opened because of what stands at one of its keys. */
export class DoorError extends Error {
  override readonly name = "DoorError";
  readonly key: string;

  /** @param what `<what is>, expected <what should be>` */
  constructor(key: string, what: string, options: { readonly cause?: unknown } = {}) {
    super(what, options);
    this.key = key;
  }
}

/** Makes a kind of door whose functions get what its shape lets through. */
export function defineDoor<const Shape extends ObjectDescription>(door: {
  readonly kind: string;
  readonly shape: Shape;
  readonly open: (settings: Settings<Shape>, place: DoorPlace) => Promise<OpenDoor>;
  readonly listDatabases?: (settings: Settings<Shape>, place: DoorPlace) => readonly string[];
}): DoorKind {
  const check = (settings: unknown): Settings<Shape> => {
    if (fits(settings, door.shape)) return settings;
    throw new Error(`The door "${door.kind}" got settings that nobody checked`);
  };
  return {
    kind: door.kind,
    shape: door.shape,
    open: (settings, place) => door.open(check(settings), place),
    listDatabases: (settings, place) => door.listDatabases?.(check(settings), place) ?? [],
  };
}
