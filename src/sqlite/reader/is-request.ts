/** Tells a reader what its parent sends: both are of one version, so only the kind is looked at. */

import type { ReaderSetup, Request } from "./request.ts";

export function isRequest(value: unknown): value is Request {
  return hasMember(value, "kind") && kinds.has(value.kind);
}

export function isSetup(value: unknown): value is ReaderSetup {
  return hasMember(value, "parent") && hasMember(value, "folder");
}

const kinds: ReadonlySet<unknown> = new Set<Request["kind"]>([
  "query",
  "describe",
  "examine",
  "release",
]);

function hasMember<Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, unknown>> {
  return typeof value === "object" && value !== null && name in value;
}
