// What is wrong in a configuration is told with file, line, column and key; nothing is guessed.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findNearest, UsageError } from "../protocol/index.ts";
import { readConfiguration } from "./configuration.ts";
import { parseSource } from "./source.ts";

const door = "doors: { a: { kind: module, path: a.ts } }\n";

/** What stands in the file, and the sentences of the error, without the file's name. */
const refusals: readonly (readonly [what: string, text: string, ...sentences: string[]])[] = [
  [
    "an unknown key",
    `name: a\nlimts: {}\n${door}`,
    '2:1: Cannot use "limts": there is no such key, did you mean "limits"?',
  ],
  [
    "an unknown key inside",
    `name: a\nlimits:\n  deadlineMs: 5\n  taskCals: 7\n${door}`,
    '4:3: Cannot use "limits.taskCals": there is no such key, did you mean "taskCalls"?',
  ],
  [
    "an unknown key that is like no other",
    `name: a\nconduct: { zebra: 1 }\n${door}`,
    '2:12: Cannot use "conduct.zebra": there is no such key, expected one of deniedTools, origins, maxima, writeHours',
  ],
  [
    "a wrong type",
    `name: a\nlimits:\n  deadlineMs: soon\n${door}`,
    '3:15: Cannot use "limits.deadlineMs": it is the string "soon", expected a whole number of at least 1',
  ],
  [
    "a limit of 0",
    `name: a\nlimits: { steps: 0 }\n${door}`,
    '2:18: Cannot use "limits.steps": it is the number 0, expected a whole number of at least 1',
  ],
  [
    "a number for a text",
    `name: a\nversion: 1.0\n${door}`,
    '2:10: Cannot use "version": it is the number 1, expected a text; put it in quotes: "1"',
  ],
  [
    "an hour that no day has",
    `name: a\nconduct: { writeHours: { from: 8, to: 25 } }\n${door}`,
    '2:39: Cannot use "conduct.writeHours.to": it is the number 25, expected a whole number from 0 to 24',
  ],
  [
    "a text for a list",
    `name: a\nconduct: { deniedTools: send }\n${door}`,
    '2:25: Cannot use "conduct.deniedTools": it is the string "send", expected a list',
  ],
  [
    "a wrong item",
    `name: a\nconduct: { deniedTools: [send, true] }\n${door}`,
    '2:32: Cannot use "conduct.deniedTools.1": it is the boolean true, expected a text; put it in quotes: "true"',
  ],
  [
    "no value",
    `name: a\nlimits:\n${door}`,
    '2:8: Cannot use "limits": it is null, expected keys and values',
  ],
  ["a missing name", door, '1:1: Cannot use "genkan.yaml": it has no "name", expected one'],
  [
    "a path that is no origin",
    `name: a\nconduct:\n  origins:\n    - https://a.example/shop\n${door}`,
    '4:7: Cannot use "conduct.origins.0": it is "https://a.example/shop", expected an origin such as https://shop.example',
  ],
  [
    "a door of an unknown kind",
    "name: a\ndoors:\n  b: { kind: modul, path: x }\n",
    '3:14: Cannot use "doors.b.kind": it is the string "modul", did you mean "module"?',
  ],
  [
    "a door without a kind",
    "name: a\ndoors:\n  b: { path: x }\n",
    '3:6: Cannot use "doors.b": it has no kind, expected one of module, sqlite, aio',
  ],
  [
    "a door with a key of no door",
    "name: a\ndoors:\n  b: { kind: module, pat: x }\n",
    '3:6: Cannot use "doors.b": it has no "path", expected one',
    '3:22: Cannot use "doors.b.pat": there is no such key, did you mean "path"?',
  ],
  [
    "no door",
    "name: a\ndoors: {}\n",
    '2:8: Cannot use "doors": there is none, expected at least one door',
  ],
  [
    "a trusted client that is nobody",
    `name: a\nprincipals: { bob: {} }\napproval: { trustedClients: [bop] }\n${door}`,
    '3:30: Cannot use "approval.trustedClients.0": there is no principal "bop", did you mean "bob"?',
  ],
  [
    "an approval for longer than a grant may hold",
    `name: a\napproval: { trustedClients: [local], forMs: 604800001 }\n${door}`,
    '2:45: Cannot use "approval.forMs": it is the number 604800001, expected a whole number from 1 to 604800000',
  ],
  [
    "a secret from two sources",
    `name: a\nsecrets:\n  s: { env: A, file: b }\n${door}`,
    '3:6: Cannot use "secrets.s": it names env and file, expected one of env, file, command',
  ],
  [
    "a token from nowhere",
    `name: a\nprincipals:\n  bob: { token: {} }\n${door}`,
    '3:17: Cannot use "principals.bob.token": it names no source, expected one of env, file',
  ],
  [
    "a key that is given twice",
    `name: a\nname: b\n${door}`,
    "2:1: Cannot read the YAML: map keys must be unique",
  ],
  ["a quote without an end", 'name: "a\n', '2:1: Cannot read the YAML: missing closing "quote'],
  [
    "a tag that nobody knows",
    `name: !js a\n${door}`,
    "1:7: Cannot read the YAML: unresolved tag: !js",
  ],
  [
    "a list instead of keys",
    "- a\n",
    '1:1: Cannot use "genkan.yaml": it is an array, expected keys and values',
  ],
  ["an empty file", "", '1:1: Cannot use "genkan.yaml": it is null, expected keys and values'],
  [
    "two mistakes",
    "nam: a\nlimits: 5\n",
    '1:1: Cannot use "genkan.yaml": it has no "name", expected one',
    '1:1: Cannot use "genkan.yaml": it has no "doors", expected one',
    '1:1: Cannot use "nam": there is no such key, did you mean "name"?',
    '2:9: Cannot use "limits": it is the number 5, expected keys and values',
  ],
];

for (const [what, text, ...sentences] of refusals) {
  test(`${what} stops the start`, () => {
    const folder = mkdtempSync(join(tmpdir(), "genkan-config-"));
    const file = join(folder, "genkan.yaml");
    try {
      writeFileSync(file, text);
      const error = catchUsageError(() => readConfiguration(file));
      assert.deepEqual(
        error.message.replaceAll(file, "genkan.yaml").split("\n"),
        sentences.map((sentence) => `genkan.yaml:${sentence}`),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("a file that is not there is named, and one with the other ending suggested", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-config-"));
  try {
    const file = join(folder, "genkan.yaml");
    const error = catchUsageError(() => readConfiguration(file));
    assert.equal(
      error.message,
      `Cannot read "${file}": there is no such file, expected a configuration`,
    );
    writeFileSync(join(folder, "genkan.yml"), door);
    assert.equal(
      catchUsageError(() => readConfiguration(file)).hint,
      `did you mean ${join(folder, "genkan.yml")}?`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a directory is told, and the configuration in it suggested, else what to type", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-config-"));
  try {
    const { message, hint } = catchUsageError(() => readConfiguration(folder, "serve"));
    assert.equal(message, `Cannot read "${folder}": it is a directory, expected a configuration`);
    assert.equal(hint, "genkan serve path/to/genkan.yaml");
    writeFileSync(join(folder, "genkan.yaml"), door);
    assert.equal(
      catchUsageError(() => readConfiguration(folder)).hint,
      `did you mean ${join(folder, "genkan.yaml")}?`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file of more than 1 MiB is refused unread, one of 1 MiB is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-config-"));
  const file = join(folder, "genkan.yaml");
  const text = `name: a\n${door}#`;
  try {
    writeFileSync(file, text.padEnd(1_048_576, "x"));
    assert.equal(readConfiguration(file).settings.name, "a");
    writeFileSync(file, text.padEnd(1_048_577, "x"));
    assert.match(
      catchUsageError(() => readConfiguration(file)).message,
      /it is longer than 1048576 bytes/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("paths count from the folder of the file, and aliases stand for what they name", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-config-"));
  const file = join(folder, "genkan.yaml");
  try {
    writeFileSync(
      file,
      `name: a\nstate: here\nlimits: &few { taskCalls: 7 }\nprincipals: { bob: { limits: *few } }\n${door}`,
    );
    const { settings, stateDir } = readConfiguration(file);
    assert.equal(stateDir, join(folder, "here"));
    assert.deepEqual(settings.principals, { bob: { limits: { taskCalls: 7 } } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a few lines that stand for a billion values are refused", () => {
  const lines = Array.from(
    { length: 12 },
    (_, n) =>
      `k${n}: &a${n} [${Array(9)
        .fill(n === 0 ? "x" : `*a${n - 1}`)
        .join()}]`,
  );
  assert.match(
    catchUsageError(() => parseSource(lines.join("\n"), "bomb.yaml")).message,
    /^bomb\.yaml:1:1: Cannot read the YAML: excessive alias count/,
  );
});

test("the nearest name takes the fewest changes, and what is like none is not guessed", () => {
  const names = ["taskCalls", "taskMs", "taskBytes", "steps"];
  for (const [name, nearest] of [
    ["taskCals", "taskCalls"],
    ["tasksCall", "taskCalls"],
    ["TASKMS", "taskMs"],
    ["setps", "steps"],
    ["zebra", undefined],
    ["", undefined],
  ] as const)
    assert.equal(findNearest(name, names), nearest, name);
});

function catchUsageError(act: () => unknown): UsageError {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof UsageError) return thrown;
    throw thrown;
  }
  return assert.fail("nothing was thrown");
}
