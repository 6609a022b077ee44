/** Validates values against JSON Schema with Ajv, which is loaded when the first value asks for it. */

import type { Ajv, ErrorObject, Options, ValidateFunction } from "ajv";
import type { JsonObject } from "../protocol/index.ts";
import { dialectOf, propertyNamesOf } from "./check-schema.ts";
import { useLinearUniqueItems } from "./unique-items.ts";

/** A compiled schema: says whether a value fits, filling in defaults, and if not, why. */
export interface Validator<Value> {
  readonly fits: (value: unknown) => value is Value;
  /** Gives what is wrong with the value that has just been refused, one sentence each and at most `maxIssues`. */
  readonly explain: (value: unknown) => readonly string[];
}

/** How many faults of one value are told: enough to mend it, few enough to read. */
const maxIssues = 10;

/** How large a refused value may be for all its faults to be looked for; in a larger one only the first is told. */
const maxSurveyedParts = 10_000;

/** Compiles a schema by its dialect. Throws for one that Ajv cannot read. */
export async function compileValidator<Value>(
  schema: JsonObject,
  useDefaults: boolean,
): Promise<Validator<Value>> {
  const compile = await loadCompiler(schema, useDefaults);
  const fits: ValidateFunction<Value> = compile(false);
  let survey: ValidateFunction | undefined;
  return {
    fits,
    explain: (value) => {
      if (countParts(value, maxSurveyedParts) >= maxSurveyedParts)
        return describeIssues(fits.errors ?? [], schema);
      survey ??= compile(true);
      survey(value);
      return describeIssues(survey.errors ?? [], schema);
    },
  };
}

/** One Ajv for all schemas of a kind: making one takes longer than compiling twenty schemas. */
const ajvs = new Map<string, Ajv>();

type Compiler = <Value>(allErrors: boolean) => ValidateFunction<Value>;

async function loadCompiler(schema: JsonObject, useDefaults: boolean): Promise<Compiler> {
  const dialect = dialectOf(schema);
  const create = dialect === "draft-07" ? await loadDraft07() : await load202012();
  const ownProperties = namesInherited(schema);
  return <Value>(allErrors: boolean) => {
    const kind = `${dialect} ${useDefaults} ${allErrors} ${ownProperties}`;
    const options = { ...ajvOptions, useDefaults, allErrors, ownProperties };
    const ajv = ajvs.get(kind) ?? useLinearUniqueItems(create(options));
    ajvs.set(kind, ajv);
    try {
      return ajv.compile<Value>(schema);
    } finally {
      ajv.removeSchema(schema); // it would keep every schema for ever, and refuse a second one of the same $id
    }
  };
}

/**
 * Whether a schema names what every object inherits, such as `constructor`: then it must be asked whether a member is the
 * object's own, which costs half as much again as the rest of the check.
 */
function namesInherited(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return inheritedNames.some((name) => text.includes(name));
}

const inheritedNames = Object.getOwnPropertyNames(Object.prototype).map((name) => `"${name}"`);

async function loadDraft07(): Promise<(options: Options) => Ajv> {
  const { Ajv } = await import("ajv");
  return (options) => new Ajv(options);
}

async function load202012(): Promise<(options: Options) => Ajv> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  return (options) => new Ajv2020(options);
}

/**
 * What a schema must be is seen to where it is published (`check-schema.ts`): to do it again, Ajv would compile the schema of
 * schemas, which takes longer than all else that a first call does.
 */
const ajvOptions = {
  validateSchema: false,
  strict: false,
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
