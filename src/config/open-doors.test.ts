// Doors as a configuration names them: modules of the operator's own, chosen, bounded, and served behind the gate.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connectInMemory } from "../index.ts";
import { isObject } from "../protocol/index.ts";
import { readConfiguration } from "./configuration.ts";
import { explainConfiguration } from "./explain.ts";
import { openConfigured } from "./open-configured.ts";
import { openDoors } from "./open-doors.ts";
import { readTokens } from "./read-tokens.ts";

const moduleText = `
import { defineTool, ToolFailure } from "genkan/gate";
const input = { type: "object", properties: { text: { type: "string", maxLength: 50 } }, additionalProperties: false };
const output = { type: "object", properties: {} };
const make = (name: string, risk: "read" | "write") =>
  defineTool({ name, description: "Does", risk, input, output, run: ({ text }) => {
    if (text === "fail") throw new ToolFailure("not_found", "There is no such text");
    return {};
  } });
export const look = make("look", "read");
export const more = [make("send", "write"), look];
export const limit = 5;
`;

/** Files, and what is wrong with them; the configuration's name and folder are cut off. */
const refusals: readonly (readonly [
  what: string,
  yaml: string,
  sentence: RegExp,
  files?: Readonly<Record<string, string>>,
])[] = [
  [
    "a module that is not there",
    "doors: { a: { kind: module, path: no.ts } }",
    /^genkan\.yaml:2:35: Cannot open the door "a" by "doors\.a\.path": there is no file "no\.ts", expected a module that exports tools$/,
  ],
  [
    "a module that fails",
    "doors: { a: { kind: module, path: x.js } }",
    /^genkan\.yaml:2:35: .+: it cannot be loaded: no luck \(x\.js:1:7\), expected a module/,
    { "x.js": "throw new Error('no luck');" },
  ],
  [
    "a module with a mistake in it",
    "doors: { a: { kind: module, path: x.mjs } }",
    /^genkan\.yaml:2:35: .+: it cannot be loaded: Unexpected token/,
    { "x.mjs": "export const = 5;" },
  ],
  [
    "a module without tools",
    "doors: { a: { kind: module, path: x.mjs } }",
    /^genkan\.yaml:2:35: .+: it gives no tool, expected what defineTool\(\)/,
    { "x.mjs": "export const a = { name: 'a', risk: 'read' };" },
  ],
  [
    "a tool without bounds",
    "doors: { a: { kind: module, path: x.ts } }",
    /^genkan\.yaml:2:35: .+Cannot define the tool "t": its input is open/,
    {
      "x.ts": `import { defineTool } from "genkan/gate"; export const t = defineTool({ name: "t", description: "d", risk: "read", input: { type: "object" }, output: { type: "object" }, run: () => ({}) });`,
    },
  ],
  [
    "an openDoor that fails",
    "doors: { a: { kind: module, path: x.mjs, options: { b: 1 } } }",
    /^genkan\.yaml:2:51: .+"doors\.a\.options": its openDoor\(\) failed: b is 1 \(file:\/\/x\.mjs:1:44\)$/,
    { "x.mjs": "export const openDoor = ({ b }) => { throw new Error(`b is ${b}`); };" },
  ],
  [
    "a tool that is chosen and not there",
    "doors: { a: { kind: module, path: tools.ts, tools: [look, sent] } }",
    /^genkan\.yaml:2:59: Cannot use "doors\.a\.tools\.1": there is no tool "sent", did you mean "send"\?$/,
  ],
  [
    "limits for no tool",
    "doors: { a: { kind: module, path: tools.ts, limits: { lok: { running: 1 } } } }",
    /^genkan\.yaml:2:55: .+there is no such tool, did you mean "look"\?$/,
  ],
  [
    "a limit above the gate's",
    "doors: { a: { kind: module, path: tools.ts, limits: { look: { running: 99 } } } }",
    /^genkan\.yaml:2:61: Cannot use the limit "look\.running": it is 99, expected at most 16, the gate's runningPerTool$/,
  ],
  [
    "one tool behind two doors",
    "doors:\n  a: { kind: module, path: tools.ts }\n  b: { kind: module, path: tools.ts, tools: [look] }",
    /^genkan\.yaml:4:3: Cannot use "doors\.b": its tool "look" stands behind "a" too/,
  ],
  [
    "conduct for no tool",
    "conduct: { deniedTools: [snd] }\ndoors: { a: { kind: module, path: tools.ts } }",
    /^genkan\.yaml:2:26: Cannot use "conduct\.deniedTools\.0": there is no tool "snd", did you mean "send"\?$/,
  ],
  [
    "a maximum for no argument",
    "conduct: { maxima: { send.txt: 5 } }\ndoors: { a: { kind: module, path: tools.ts } }",
    /^genkan\.yaml:2:22: Cannot use "conduct\.maxima\.send\.txt": no tool has such an argument, did you mean "send\.text"\?$/,
  ],
  [
    "a secret for no tool",
    "secrets: { s: { env: PATH, tools: [lock] } }\ndoors: { a: { kind: module, path: tools.ts } }",
    /^genkan\.yaml:2:36: .+there is no tool "lock", did you mean "look"\?$/,
  ],
];

for (const [what, yaml, sentence, files = {}] of refusals) {
  test(`${what} is refused where it is named`, async () => {
    await using shop = writeConfig(yaml, files);
    await assert.rejects(openDoors(readConfiguration(shop.file)), ({ name, message }: Error) => {
      assert.equal(name, "UsageError");
      assert.match(message.replaceAll(`${shop.folder}/`, ""), sentence);
      return true;
    });
  });
}

test("a secret that cannot be read stops the start, and so does its command", async () => {
  const doors = "doors: { a: { kind: module, path: tools.ts } }";
  for (const [secret, sentence] of [
    [
      "{ env: NOT_SET }",
      /genkan\.yaml:2:15: Cannot use the secret "s": the environment variable "NOT_SET" is not set/,
    ],
    [
      "{ command: [node, -e, process.exit(3)] }",
      /Cannot use the secret "s": its command "node" ended with 3/,
    ],
  ] as const) {
    await using shop = writeConfig(`secrets: { s: ${secret} }\n${doors}`);
    const opening = openConfigured(readConfiguration(shop.file), {
      environment: { PATH: process.env["PATH"] },
      report: () => {},
    });
    await assert.rejects(opening, sentence);
    assert.ok(!existsSync(join(shop.folder, ".genkan")), "no state was made");
  }
});

test("what is configured is what the gate keeps to", async () => {
  await using shop = writeConfig(`limits: { taskCalls: 1 }
conduct: { maxima: { look.text: 4 } }
principals: { bob: { limits: { taskCalls: 2 } } }
principal: bob
doors:
  a: { kind: module, path: tools.ts, tools: [look] }
  b: { kind: module, path: tools.ts, tools: [send], limits: { send: { callsPerMinute: 3 } } }`);
  const configuration = readConfiguration(shop.file);
  const reports: string[] = [];
  const { server } = await openConfigured(configuration, {
    environment: {},
    report: (text) => reports.push(text),
  });
  await using closing = new AsyncDisposableStack();
  closing.use(server);
  await using client = await connectInMemory(server);
  const call = async (name: string, args: object): Promise<unknown> => {
    const { structuredContent } = await client.callTool(name, { ...args });
    return isObject(structuredContent) ? structuredContent["code"] : undefined;
  };
  assert.equal(await call("look", { text: "abcd" }), "ok");
  assert.equal(await call("look", { text: "abcde" }), "conduct_refused");
  assert.equal(await call("look", { text: "fail" }), "not_found"); // the module's ToolFailure is the gate's own
  assert.equal(await call("send", { task_id: "t", call_id: "c" }), "grant_required");
  for (const code of ["ok", "ok", "budget_exhausted"])
    assert.equal(await call("look", { task_id: "t" }), code);
  assert.deepEqual(reports, []);

  await using doors = await openDoors(configuration);
  const { tools } = explainConfiguration(configuration, doors);
  assert.deepEqual(
    tools.map(({ door, name, risk, maxima, limits }) => [
      door,
      name,
      risk,
      maxima,
      limits.callsPerMinute,
    ]),
    [
      ["a", "look", "read", { text: 4 }, 600],
      ["b", "send", "write", {}, 3],
    ],
  );
});

test("openDoor() gets its options and its folder, and close() runs when the server ends", async () => {
  const text = `${moduleText}
import { writeFileSync } from "node:fs";
export const openDoor = async (options, { folder }) => ({ tools: [look], close: () => writeFileSync(folder + "/closed", JSON.stringify(options)) });`;
  await using shop = writeConfig(
    "doors: { a: { kind: module, path: own.mjs, options: { b: [1] } } }",
    { "own.mjs": text.replaceAll(/: string|: "read" \| "write"/g, "") },
  );
  const { server } = await openConfigured(readConfiguration(shop.file), {
    environment: {},
    report: () => {},
  });
  assert.deepEqual(
    [...server.catalogue.tools.values()].map(({ tool }) => tool.name),
    ["look"],
  );
  assert.ok(!existsSync(join(shop.folder, "closed")));
  await server[Symbol.asyncDispose]();
  assert.ok(existsSync(join(shop.folder, "closed")));
});

function writeConfig(yaml: string, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "genkan-config-"));
  const file = join(folder, "genkan.yaml");
  writeFileSync(file, `name: a\n${yaml}\n`);
  for (const [name, text] of Object.entries({ "tools.ts": moduleText, ...files }))
    writeFileSync(join(folder, name), text);
  return {
    folder,
    file,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  };
}

test("a principal is known by its token, and no two have the same", async () => {
  const doors = "doors: { a: { kind: module, path: tools.ts } }";
  await using shop = writeConfig(
    `principals: { bob: { token: { env: BOB } }, eve: { token: { file: eve } } }\n${doors}`,
    { eve: "e1\ne2\n" },
  );
  const configuration = readConfiguration(shop.file);
  const tokens = readTokens(configuration, { BOB: "b1" });
  assert.deepEqual(tokens?.list, ["b1", "e1", "e2"]);
  const digest = createHash("sha256").update("e2").digest("base64url");
  assert.deepEqual(
    [tokens?.nameOf(digest), tokens?.nameOf("other"), tokens?.nameOf(undefined)],
    ["eve", undefined, undefined],
  );
  assert.throws(
    () => readTokens(configuration, { BOB: "e2" }),
    /genkan\.yaml:2:59: Cannot use "principals\.eve\.token": "bob" has the same, expected one of its own/,
  );
  assert.throws(
    () => readTokens(configuration, {}),
    /genkan\.yaml:2:29: Cannot use "principals\.bob\.token": there is none to be read/,
  );
});
