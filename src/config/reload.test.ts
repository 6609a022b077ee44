// An edit of genkan.yaml while its server serves: taken up whole where it can be, told where it cannot, and never the end of it.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { genkanWords } from "../../fixtures/command-line.ts";
import { connect, type Client } from "../index.ts";
import { isObject } from "../protocol/index.ts";

const before = `name: a
doors:
  shop:
    kind: sqlite
    path: shop.db
    queries:
      - { name: look, description: Looks, statement: "SELECT n FROM t" }
      - { name: stay, description: Stays, statement: "VALUES (1)" }
`;
const after = before
  .replace("SELECT n FROM t", "SELECT n, n AS m FROM t")
  .replace("name: stay", "name: come");

for (const era of ["stateless", "handshake"] as const)
  test(`an edit changes the tools and is announced (${era})`, async () => {
    await using house = openHouse(before);
    await using client = await serve(house.file, era);
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    await using watching = await client.subscribe({ toolsListChanged: true }, () => resolve());
    assert.equal(watching.honoured.toolsListChanged, true);
    assert.deepEqual(await listTools(client), ["look", "stay"]);
    assert.deepEqual(await call(client, "look"), { code: "ok", columns: ["n"] });
    house.write(after);
    await changed;
    assert.deepEqual((await listTools(client)).toSorted(), ["come", "look"]);
    assert.deepEqual(await call(client, "look"), { code: "ok", columns: ["n", "m"] });
    await assert.rejects(client.callTool("stay", {}), /Unknown tool: stay/);
    assert.match(
      await said(client, /Reloaded .+/),
      /genkan\.yaml: anew look; new come; gone stay$/m,
    );
  });

/** Edits, and what is said of them; none changes a tool. */
const edits: readonly (readonly [what: string, edit: (text: string) => string, said: RegExp])[] = [
  [
    "a statement that SQLite refuses",
    (text) => text.replace("SELECT n", "SELECT nn"),
    /^genkan: Cannot reload .+genkan\.yaml, so all tools stay as they were:\n.+genkan\.yaml:7:54: Cannot use "doors\.shop\.queries\.0\.statement": SQLite refuses it: no such column: nn, did you mean "n"\?$/m,
  ],
  [
    "half a file",
    (text) => text.slice(0, 90),
    /^genkan: Cannot reload .+:\n.+genkan\.yaml:\d+:\d+: Cannot read the YAML: /m,
  ],
  [
    "a database that is not there",
    (text) => text.replace("shop.db", "shop.dB"),
    /Cannot reload .+:\n.+genkan\.yaml:5:11: Cannot open the door "shop" by "doors\.shop\.path": .+ there is no such file/,
  ],
  [
    "a rule for a tool that is gone",
    (text) => `conduct: { deniedTools: [stay] }\n${text.replace("name: stay", "name: come")}`,
    /Cannot reload .+:\n.+genkan\.yaml:1:26: .+there is no tool "stay"/,
  ],
  [
    "a limit of the gate",
    (text) => `limits: { taskCalls: 5 }\n${text}`,
    /^genkan: .+genkan\.yaml has changed where it needs a restart, and until then is as it was: limits$/m,
  ],
  [
    "a state, a name and a door of another kind",
    (text) =>
      text
        .replace("name: a", "name: b\nstate: .other")
        .replace("doors:", "doors:\n  own: { kind: module, path: own.mjs }"),
    /needs a restart, and until then is as it was: name, state, doors\.own$/m,
  ],
  [
    "a limit above the gate's",
    (text) => text.replace('FROM t"', 'FROM t", limits: { running: 17 }'),
    /Cannot reload .+\n.+Cannot use the limit "look\.running": it is 17, expected at most 16/,
  ],
];

test("an edit that cannot be taken up is told, and the next one is taken up", async (context) => {
  await using house = openHouse(before);
  await using client = await serve(house.file);
  for (const [what, edit, sentence] of edits)
    await context.test(what, async () => {
      house.write(edit(before));
      await said(client, sentence);
      assert.deepEqual(await listTools(client), ["look", "stay"]);
      assert.deepEqual(await call(client, "look"), { code: "ok", columns: ["n"] });
    });
  house.write(after);
  await said(client, /^genkan: Reloaded /m);
  assert.deepEqual((await listTools(client)).toSorted(), ["come", "look"]);
});

test("a call that runs ends on the tools it began with, and then their readers end", async () => {
  const endless =
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) AS n FROM (SELECT n FROM c LIMIT 3000000)";
  const text = before
    .replace("SELECT n FROM t", endless)
    .replace("path: shop.db", "path: shop.db\n    recursive: true");
  await using house = openHouse(text);
  await using client = await serve(house.file);
  const running = call(client, "look");
  await pause(300); // it is on its way
  house.write(after);
  await said(client, /^genkan: Reloaded /m);
  assert.deepEqual(await call(client, "look"), { code: "ok", columns: ["n", "m"] });
  assert.deepEqual(await running, { code: "ok", columns: ["n"] });
});

test("whichever way the file is written, each edit is taken up once", async () => {
  await using house = openHouse(before);
  await using client = await serve(house.file);
  const ways: readonly ((text: string) => void)[] = [
    (text) => writeFileSync(house.file, text),
    (text) => {
      writeFileSync(`${house.file}.tmp`, text);
      renameSync(`${house.file}.tmp`, house.file);
    },
    (text) => {
      renameSync(house.file, `${house.file}~`);
      writeFileSync(house.file, text.slice(0, 40));
      writeFileSync(house.file, text);
    },
  ];
  for (const [index, write] of ways.entries()) {
    write(before.replace("name: stay", `name: way${index}`));
    await said(client, new RegExp(`new way${index}`));
  }
  assert.deepEqual((await listTools(client)).toSorted(), ["look", "way2"]);
});

test("a link that is turned to another file is followed", async () => {
  await using house = openHouse(before);
  const link = join(house.folder, "linked.yaml");
  writeFileSync(join(house.folder, "second.yaml"), after);
  symlinkSync("genkan.yaml", link);
  await using client = await serve(link);
  symlinkSync("second.yaml", `${link}.new`);
  renameSync(`${link}.new`, link);
  await said(client, /^genkan: Reloaded .+linked\.yaml: anew look; new come; gone stay$/m);
});

test(
  "many edits leave no readers behind but those of the last, and no file open",
  {
    skip: !existsSync("/proc/self/fd"), // only there is it told
  },
  async () => {
    const text = `limits: { queueWaitMs: 1 }\n${before}`; // so that what was replaced is closed soon
    await using house = openHouse(text);
    const others = listChildren(process.pid);
    await using client = await serve(house.file);
    await call(client, "look");
    const pid = listChildren(process.pid).find((each) => !others.includes(each)) ?? assert.fail();
    const files = countFiles(pid);
    for (let n = 1; n <= 6; n++) {
      house.write(text.replace("name: stay", `name: edit${n}`));
      await said(client, new RegExp(`new edit${n}\\b`));
    }
    await until(() => listChildren(pid).length <= 3, 20_000);
    assert.ok(
      countFiles(pid) <= files + 8, // two processes more
      `${countFiles(pid)} files, ${files} before`,
    );
  },
);

function openHouse(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "genkan-reload-"));
  const file = join(folder, "genkan.yaml");
  writeFileSync(file, text);
  using database = new DatabaseSync(join(folder, "shop.db"));
  database.exec("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)");
  return {
    folder,
    file,
    write: (next: string) => writeFileSync(file, next),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  };
}

function serve(file: string, era: "stateless" | "handshake" = "stateless"): Promise<Client> {
  const [command = "", ...args] = genkanWords(["serve", file]);
  return connect({ command, args }, { era });
}

async function listTools(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).map(({ name }) => name);
}

async function call(client: Client, name: string): Promise<object> {
  const { structuredContent: envelope } = await client.callTool(name, {});
  const data = isObject(envelope) && isObject(envelope["data"]) ? envelope["data"] : {};
  return { code: isObject(envelope) ? envelope["code"] : undefined, columns: data["columns"] };
}

/** Waits until the server has said it on stderr, and gives all that it has said. */
async function said(client: Client, sentence: RegExp): Promise<string> {
  await until(
    () => sentence.test(client.report().stderrTail),
    15_000,
    () => client.report().stderrTail,
  );
  return client.report().stderrTail;
}

async function until(isSo: () => boolean, limitMs: number, describe = () => ""): Promise<void> {
  for (const end = Date.now() + limitMs; !isSo(); await pause(20))
    if (Date.now() > end) assert.fail(`it never came: ${describe()}`);
}

function countFiles(pid: string): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function listChildren(pid: number | string): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
}
