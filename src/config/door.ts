/** What a kind of door is: a file of `doors/` exports one, and `doors/doors.ts` names it. No door knows the file. */

import type { GateTool } from "../gate/index.ts";
import type { JsonObject, UsageError } from "../protocol/index.ts";
import type { Crew, QueryError } from "../sqlite/index.ts";
import type { ObjectDescription, Settings } from "./description.ts";
import { fits, type ConfigFault, type Path } from "./find-faults.ts";

/** Where a door stands. */
export interface DoorPlace {
  /** The folder of the configuration: paths in it count from here. */
  readonly folder: string;
  /** Processes that have been started already, for the first door that needs such. */
  readonly crew?: Crew | undefined;
}

export interface OpenDoor {
  readonly tools: readonly GateTool[];
  /** Gives back what the door holds; runs when the server ends. */
  close?(): void | Promise<void>;
  /** Says where a tool's own limits stand, from the door on. */
  placeOfLimits?(tool: string): Path;
  /** Resolves when none of its calls runs: a door whose place another has taken is closed then. */
  idle?(): Promise<void>;
  /** What `genkan check` says of it. */
  readonly facts?: readonly DoorFact[];
  /** Calls that `genkan check` tries. */
  readonly examples?: readonly DoorExample[];
  /** Says, for `genkan check`, what works and should be looked at all the same; paths begin at the door. May take a while. */
  findWarnings?(): Promise<readonly ConfigFault[]>;
}

/** One line about a door, or about one of its tools. */
export interface DoorFact {
  readonly tool?: string;
  readonly name: string;
  readonly text: string;
}

/** A call, and what the operator expects of it. */
export interface DoorExample {
  /** Where it stands, from the door on. */
  readonly path: Path;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Says what is otherwise in the envelope that the call gave, one sentence each. */
  readonly findDifferences: (envelope: JsonObject) => readonly string[];
}

export interface DoorKind {
  readonly kind: string;
  /** What may stand beside `kind`, `tools` and `limits`. */
  readonly shape: ObjectDescription;
  /** Whether such a door may be opened anew while its server serves. */
  readonly canReload: boolean;
  /** Throws a `UsageError` for what cannot be opened; of a `DoorError` the key is told too, of `DoorFaults` every place. */
  open(settings: unknown, place: DoorPlace): Promise<OpenDoor>;
  /** Names the SQLite files that `open` would read, from the root, and opens none: a receipt looks at them before that. */
  listDatabases(settings: unknown, place: DoorPlace): readonly string[];
}

/** A door cannot be opened because of what stands at one of its keys. */
export class DoorError extends Error {
  override readonly name = "DoorError";
  readonly key: string;
  /** Something to type. */
  readonly hint: string | undefined;

  /** @param what `<what is>, expected <what should be>` */
  constructor(
    key: string,
    what: string,
    { cause, hint }: { readonly cause?: unknown; readonly hint?: string | undefined } = {},
  ) {
    super(what, { cause });
    this.key = key;
    this.hint = hint;
  }
}

/** Makes the error for a database that cannot be opened or asked, which is said once. */
export function toDoorError(key: string, cause: UsageError | QueryError): DoorError {
  const what = cause.message.replace(/^Cannot open (?=")/, "");
  return new DoorError(key, what, { cause, hint: cause.hint });
}

/** A door cannot be opened because of what stands at several places in it. */
export class DoorFaults extends Error {
  override readonly name = "DoorFaults";
  readonly faults: readonly ConfigFault[];

  /** @param faults paths in them begin at the door */
  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ path, what }) => `${path.join(".")}: ${what}`).join("\n"));
    this.faults = faults;
  }
}

/** Makes a kind of door whose functions get what its shape lets through. */
export function defineDoor<const Shape extends ObjectDescription>(door: {
  readonly kind: string;
  readonly shape: Shape;
  readonly canReload?: boolean;
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
    canReload: door.canReload ?? false,
    open: (settings, place) => door.open(check(settings), place),
    listDatabases: (settings, place) => door.listDatabases?.(check(settings), place) ?? [],
  };
}
