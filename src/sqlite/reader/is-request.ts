/** Tells a reader what its parent sends: both are of one version, so only the kind is looked at. */

import type { ReaderSetup, Request } from "./request.ts";

export function isRequest(value: unknown): value is Request {
  return hasMember(value, "kind") && kinds.has(value.kind) && hasMember(value, "source");
}

export function isSetup(value: unknown): value is ReaderSetup {
  return hasMember(value, "parent") && typeof value.parent === "number";
}

const kinds = new Set<unknown>(["query", "describe", "examine"] satisfies Request["kind"][]);

function hasMember<Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, unknown>> {
  return typeof value === "object" && value !== null && name in value;
}
