// Our client calls servers built with both official SDKs, and the reference server, as processes of their own.

import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { connect, ServerError, type Client, type ConnectOptions } from "../../src/index.ts";

const root = new URL("../../", import.meta.url);

/** Every revision that the servers of an SDK speak over stdio. */
const servers = [
  { sdk: "version 1", file: "bench/subjects/sdk-v1.js", stateless: false },
  { sdk: "version 2", file: "bench/subjects/sdk-v2.js", stateless: true },
];

const handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

for (const { sdk, file, stateless } of servers) {
  for (const revision of stateless ? [...handshakes, "2026-07-28"] : handshakes) {
    test(`a server of the SDK, ${sdk}, in ${revision}`, async () => {
      await using client = await start([file], { revision });
      assert.equal(client.revision, revision);
      await tour(client);
      assert.deepEqual(await endOf(client), ["stdin closed", "none", 0]);
    });
  }

  test(`a server of the SDK, ${sdk}, is asked which era it belongs to`, async () => {
    await using client = await start([file]);
    assert.equal(client.revision, stateless ? "2026-07-28" : "2025-11-25");
    await tour(client);
    assert.deepEqual(client.report().faults, []);
  });
}

test("the reference server: everything it has, with questions to the client", async () => {
  const asked: string[] = [];
  const reference = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
  await using client = await start([reference, "stdio"], {
    handlers: {
      elicit: ({ message }) => {
        asked.push(message);
        return { action: "accept", content: {} };
      },
      sample: () => ({ role: "assistant", content: { type: "text", text: "sampled" }, model: "m" }),
      listRoots: () => ({ roots: [{ uri: "file:///shop", name: "shop" }] }),
    },
  });
  assert.equal(client.revision, "2025-11-25");

  const tools = new Set((await client.listTools()).map(({ name }) => name));
  for (const name of ["echo", "get-roots-list", "trigger-sampling-request"])
    assert.ok(tools.has(name), name);
  assert.match(await textOf(client, "echo", { message: "é" }), /é/);
  assert.match(await textOf(client, "get-roots-list"), /file:\/\/\/shop/);
  assert.match(
    await textOf(client, "trigger-sampling-request", { prompt: "x", maxTokens: 5 }),
    /sampled/,
  );
  assert.match(await textOf(client, "trigger-elicitation-request"), /accept/);
  assert.equal(asked.length, 1);

  const heard: number[] = [];
  const work = { duration: 0.2, steps: 4 };
  const onProgress = ({ progress }: { readonly progress: number }): void =>
    void heard.push(progress);
  await client.callTool("trigger-long-running-operation", work, { onProgress });
  assert.deepEqual(heard, [1, 2, 3, 4]);

  const [resource] = await client.listResources();
  assert.ok(resource !== undefined);
  assert.equal((await client.readResource(resource.uri)).contents[0]?.uri, resource.uri);
  assert.ok((await client.listResourceTemplates()).length > 0);
  assert.ok((await client.listPrompts()).length > 0);
  assert.equal((await client.getPrompt("simple-prompt")).messages[0]?.role, "user");
  const prompt = { type: "ref/prompt", name: "completable-prompt" } as const;
  const { values } = await client.complete(prompt, { name: "department", value: "E" });
  assert.deepEqual(values, ["Engineering"]);

  assert.deepEqual(client.report().faults, []);
  assert.deepEqual(await endOf(client), ["stdin closed", "none", 0]);
});

function start(args: readonly string[], options: ConnectOptions = {}): Promise<Client> {
  return connect({ command: process.execPath, args, cwd: fileURLToPath(root) }, options);
}

async function tour(client: Client): Promise<void> {
  assert.deepEqual(
    (await client.listTools()).map(({ name }) => name),
    ["echo"],
  );
  const texts = Array.from({ length: 30 }, (_, index) => `${index} é\n`);
  const echoed = await Promise.all(texts.map((text) => textOf(client, "echo", { text })));
  assert.deepEqual(echoed, texts);
  // Version 1 calls an unknown tool a failure of the tool, version 2 an error of the protocol.
  const missing = await client.callTool("missing").catch((error: unknown) => error);
  assert.ok(missing instanceof ServerError || JSON.stringify(missing).includes('"isError":true'));
  await client.ping();
}

async function textOf(
  client: Client,
  name: string,
  args?: Record<string, unknown>,
): Promise<string> {
  const { content } = await client.callTool(name, args);
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** How the process ended: which step was needed, what it left behind, and its code. */
async function endOf(client: Client): Promise<readonly unknown[]> {
  const report = await client.close();
  return report.kind === "process"
    ? [report.step, report.leftovers, report.exitCode]
    : [report.kind];
}
