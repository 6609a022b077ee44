// How lists are followed, guarded and kept while fresh.

import assert from "node:assert/strict";
import { test } from "node:test";
import { maxItems, maxListBytes, maxPages } from "./pages.ts";
import { weigh } from "./weigh.ts";
import {
  connectHandshake,
  connectStateless,
  type Peer,
  type Script,
  type Sent,
} from "./wire-peer.test.ts";

const tool = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;

function page({ id }: Sent, peer: Peer, tools: readonly string[], rest = ""): void {
  peer.write(
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","tools":[${tools.join()}]${rest}}}\n`,
  );
}

test("all pages are fetched, and the empty string is a cursor", async () => {
  const [client, peer] = await connectStateless((message, wire) => {
    if (message.params?.["cursor"] === undefined)
      page(message, wire, [tool("a")], ',"nextCursor":""');
    else page(message, wire, [tool("b")]);
  });
  const tools = await client.listTools();
  await client.close();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["a", "b"],
  );
  assert.ok((peer.lines.at(-1) ?? "").includes('"params":{"cursor":"",'));
});

test("a repeated cursor is a named limit", async () => {
  const [client] = await connectStateless((message, wire) =>
    page(message, wire, [], ',"nextCursor":"x"'),
  );
  await assert.rejects(client.listTools(), {
    code: "limit",
    message: /the cursor "x" again \(repeatedCursor\)/,
  });
  await client.close();
});

test('a handshake server may end its list by ""', async () => {
  const [client] = await connectHandshake((message, wire) => {
    if (message.method === "tools/list") page(message, wire, [tool("a")], ',"nextCursor":""');
  });
  const tools = await client.listTools();
  await client.close();
  assert.equal(tools.length, 1);
});

test('a handshake server may end its list by "", and refuse it as a cursor', async () => {
  const [client] = await connectHandshake((message, wire) => {
    if (message.params?.["cursor"] === undefined)
      return page(message, wire, [tool("a")], ',"nextCursor":""');
    wire.write(
      `{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32602,"message":"Invalid cursor"}}\n`,
    );
  });
  const tools = await client.listTools();
  await client.close();
  assert.equal(tools.length, 1);
});

for (const [what, code, reply] of [
  ["does not come", "timeout", () => {}],
  [
    "is faulty",
    "protocol",
    ({ id }, wire) => wire.write(`{"jsonrpc":"2.0","id":${id},"result":[]}\n`),
  ],
  ["is lost with the server", "closed", (_, wire) => wire.end()],
] as const satisfies readonly (readonly [string, string, Script])[]) {
  test(`half a list is not given as the whole: the page at the cursor "" ${what}`, async () => {
    const [client] = await connectHandshake((message, wire) => {
      if (message.method !== "tools/list") return;
      if (message.params?.["cursor"] === "") return reply(message, wire);
      page(message, wire, [tool("a")], ',"nextCursor":""');
    });
    await assert.rejects(client.listTools({ timeoutMs: code === "timeout" ? 40 : 10_000 }), {
      code,
    });
    await client.close();
  });
}

for (const count of [maxPages - 1, maxPages, maxPages + 1]) {
  test(`${count} pages are ${count <= maxPages ? "a list" : "over the limit"}`, async () => {
    let given = 0;
    const [client] = await connectStateless((message, wire) => {
      given++;
      page(message, wire, [tool(`t${given}`)], given < count ? `,"nextCursor":"${given}"` : "");
    });
    const listing = client.listTools();
    if (count <= maxPages) assert.equal((await listing).length, count);
    else await assert.rejects(listing, { code: "limit", message: /maxPages/ });
    await client.close();
  });
}

for (const count of [maxItems - 1, maxItems, maxItems + 1]) {
  test(`${count} items are ${count <= maxItems ? "a list" : "over the limit"}`, async () => {
    const [client] = await connectStateless((message, wire) =>
      page(
        message,
        wire,
        Array.from({ length: count }, () => tool("t")),
      ),
    );
    const listing = client.listTools();
    if (count <= maxItems) assert.equal((await listing).length, count);
    else await assert.rejects(listing, { code: "limit", message: /maxItems/ });
    await client.close();
  });
}

for (const bytes of [maxListBytes - 1, maxListBytes, maxListBytes + 1]) {
  test(`a list of ${bytes} bytes is ${bytes <= maxListBytes ? "a list" : "over the limit"}`, async () => {
    const pageCount = 8;
    const bare = `{"name":"","inputSchema":{"type":"object"}}`;
    const rest = (at: number): string => (at < pageCount ? `,"nextCursor":"${at}"` : "");
    const parse = (at: number): unknown =>
      JSON.parse(`{"resultType":"complete","tools":[${bare}]${rest(at)}}`);
    const weights = Array.from({ length: pageCount }, (_, at) => weigh(parse(at + 1), Infinity));
    const free = bytes - weights.reduce((sum, each) => sum + each, 0);
    let given = 0;
    const [client] = await connectHandshake((message, wire) => {
      if (message.method !== "tools/list") return;
      given++;
      const share = Math.floor(free / pageCount) + (given === pageCount ? free % pageCount : 0);
      page(message, wire, [tool("x".repeat(share))], rest(given));
    });
    const listing = client.listTools();
    if (bytes <= maxListBytes) assert.equal((await listing).length, pageCount);
    else await assert.rejects(listing, { code: "limit", message: /maxListBytes/ });
    await client.close();
  });
}

test("a fresh page is not asked for again, until refresh or list_changed", async () => {
  let asked = 0;
  const [client, peer] = await connectStateless((message, wire) => {
    asked++;
    page(message, wire, [tool(`t${asked}`)], ',"ttlMs":60000,"cacheScope":"public"');
  });
  const names = async (refresh = false): Promise<string | undefined> =>
    (await client.listTools({ refresh }))[0]?.name;
  assert.deepEqual(
    [await names(), await names(), await names(true), await names()],
    ["t1", "t1", "t2", "t2"],
  );
  peer.write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.equal(await names(), "t3");
  await client.close();
});

for (const ttl of ["0", "-5", '"60000"', "null"]) {
  test(`a ttlMs of ${ttl} keeps nothing`, async () => {
    let asked = 0;
    const [client] = await connectStateless((message, wire) => {
      asked++;
      page(message, wire, [], `,"ttlMs":${ttl}`);
    });
    await client.listTools();
    await client.listTools();
    await client.close();
    assert.equal(asked, 2);
  });
}

test("a kept page whose cursor is over is fetched again from the beginning", async () => {
  let generation = 1;
  const [client] = await connectStateless((message, wire) => {
    const { cursor } = message.params ?? {};
    if (cursor === undefined)
      return page(
        message,
        wire,
        [tool(`a${generation}`)],
        `,"nextCursor":"c${generation}","ttlMs":60000`,
      );
    if (cursor === `c${generation}`) return page(message, wire, [tool(`b${generation}`)]);
    wire.write(
      `{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32602,"message":"Invalid cursor"}}\n`,
    );
  });
  await client.listTools();
  generation = 2;
  const tools = await client.listTools();
  await client.close();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["a2", "b2"],
  );
});
