/** Looks whether a target can be meant at all, before anything is started: programs without types call this, too. */

import { isObject, isStringArray, jsonTypeOf, toPrintable, UsageError } from "../protocol/index.ts";

/** Throws a `UsageError` that says what the target is, and what it should be. */
export function checkTarget(target: unknown): void {
  if (!isObject(target)) {
    throw badTarget(`the target is ${nameType(target)}`, "an object");
  }
  if ("url" in target) return; // looked at where it is opened
  if ("transport" in target) {
    if (isObject(target["transport"])) return;
    throw badTarget(`"transport" is ${nameType(target["transport"])}`, "an open transport");
  }
  const { command, args, env, cwd } = target;
  if (!("command" in target)) {
    const names = toPrintable(Object.keys(target).slice(0, 5).join(", "), 100);
    const is = names === "" ? "the target is empty" : `the target has ${names} alone`;
    throw badTarget(is, `"command", "url" or "transport"`);
  }
  if (typeof command !== "string") throw badTarget(`"command" is ${nameType(command)}`, "a string");
  if (command === "") throw badTarget(`"command" is empty`, "a program");
  if (args !== undefined && !isStringArray(args)) {
    const odd: unknown = Array.isArray(args)
      ? args.find((each) => typeof each !== "string")
      : undefined;
    const is = Array.isArray(args)
      ? `"args" holds ${nameType(odd)}`
      : `"args" is ${nameType(args)}`;
    throw badTarget(is, "an array of strings");
  }
  if (env !== undefined) checkEnvironment(env);
  if (cwd !== undefined && typeof cwd !== "string")
    throw badTarget(`"cwd" is ${nameType(cwd)}`, "the path of a folder");
}

function checkEnvironment(env: unknown): void {
  if (!isObject(env)) throw badTarget(`"env" is ${nameType(env)}`, "an object of strings");
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || typeof value === "string") continue;
    const shown = toPrintable(name, 40);
    throw badTarget(`the variable "${shown}" of "env" is ${nameType(value)}`, "a string");
  }
}

function nameType(value: unknown): string {
  const type = jsonTypeOf(value);
  if (type === "null" || type === "undefined") return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function badTarget(is: string, expected: string): UsageError {
  return new UsageError("bad-target", `Cannot connect: ${is}, expected ${expected}`, {
    hint: 'connect({ command: "node", args: ["server.js"] })',
  });
}
