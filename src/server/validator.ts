/** Validates values against JSON Schema with Ajv, which is loaded when the first value asks for it. */

import type { Ajv, ErrorObject, Options, ValidateFunction } from "ajv";
import type { JsonObject } from "../protocol/index.ts";
import { propertyNamesOf } from "./check-schema.ts";

/** A compiled schema: says whether a value fits, filling in defaults, and if not, why. */
export interface Validator<Value> {
  readonly fits: (value: unknown) => value is Value;
  /** Gives what is wrong with the value that has just been refused, one sentence each and at most `maxIssues`. */
  readonly explain: (value: unknown) => readonly string[];
}

/** How many faults of one value are told: enough to mend it, few enough to read. */
const maxIssues = 10;

const draft07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const draft202012 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** How large a refused value may be for all its faults to be looked for; in a larger one only the first is told. */
const maxSurveyedParts = 10_000;

/** Compiles a schema by the dialect that its `$schema` names, 2020-12 when it names none. Throws for any other dialect. */
export async function compileValidator<Value>(schema: JsonObject): Promise<Validator<Value>> {
  const createAjv = await loadDialect(schema["$schema"]);
  const fits = createAjv({ allErrors: false }).compile<Value>(schema);
  let survey: ValidateFunction | undefined;
  return {
    fits,
    explain: (value) => {
      if (countParts(value, maxSurveyedParts) >= maxSurveyedParts)
        return describeIssues(fits.errors ?? [], schema);
      survey ??= createAjv({ allErrors: true }).compile(schema);
      survey(value);
      return describeIssues(survey.errors ?? [], schema);
    },
  };
}

async function loadDialect(dialect: unknown): Promise<(options: Options) => Ajv> {
  if (dialect === undefined || (typeof dialect === "string" && draft202012.test(dialect))) {
    const { Ajv2020 } = await import("ajv/dist/2020.js");
    return (options) => new Ajv2020({ ...ajvOptions, ...options });
  }
  if (typeof dialect === "string" && draft07.test(dialect)) {
    const { Ajv } = await import("ajv");
    return (options) => new Ajv({ ...ajvOptions, ...options });
  }
  throw new Error(
    `The schema dialect ${JSON.stringify(dialect)} is not supported, expected 2020-12 or draft-07`,
  );
}

const ajvOptions = {
  strict: false,
  useDefaults: true,
  validateFormats: false,
  logger: false,
} as const;

/** Counts the values inside a value, up to a limit. */
function countParts(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0 && count < limit) {
    const part = open.pop();
    count++;
    if (typeof part === "object" && part !== null)
      for (const member of Object.values(part).slice(0, limit)) open.push(member);
  }
  return count;
}

function describeIssues(errors: readonly ErrorObject[], schema: JsonObject): readonly string[] {
  const texts = new Set(errors.map((error) => describeIssue(error, schema)));
  const shown = [...texts].slice(0, maxIssues);
  if (texts.size > maxIssues) shown.push(`and ${texts.size - maxIssues} more`);
  return shown;
}

function describeIssue(error: ErrorObject, schema: JsonObject): string {
  const place = error.instancePath.slice(1).replaceAll("/", ".");
  const params: JsonObject = error.params;
  const unknown = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof unknown === "string") return describeUnknown(unknown, place, schema);
  if (typeof params["missingProperty"] === "string")
    return `${quote(join(place, params["missingProperty"]))} is missing`;
  if (Array.isArray(params["allowedValues"])) {
    return `${quote(place)} must be one of ${params["allowedValues"].map((value) => JSON.stringify(value)).join(", ")}`;
  }
  return `${place === "" ? "the value" : quote(place)} ${error.message ?? "is not valid"}`;
}

function describeUnknown(name: string, place: string, schema: JsonObject): string {
  if (place !== "") return `${quote(join(place, name))} is unknown`;
  return describeUnknownArgument(name, propertyNamesOf(schema));
}

/** Refuses a name, and lists those that would have done. */
export function describeUnknownArgument(name: string, known: readonly string[]): string {
  return `${quote(name)} is unknown, expected ${known.length === 0 ? "no arguments" : known.map(quote).join(", ")}`;
}

function join(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

/** Quotes a name as JSON does, so that a hostile one stays one short line. */
function quote(name: string): string {
  return JSON.stringify(name.length <= 100 ? name : `${name.slice(0, 100)}…`);
}
