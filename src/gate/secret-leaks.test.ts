import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { makeFolder, openDesk, textTool, type Desk } from "../../fixtures/gate.ts";
import { readAudit } from "./audit-query.ts";
import { verifyAudit } from "./audit-verify.ts";
import { ToolFailure } from "./failure.ts";
import { createFeatures } from "./features.ts";
import { Secrets } from "./secrets.ts";
import { TraceBook } from "./trace-book.ts";

const value = "correct-horse&7";
const base64 = Buffer.from(value).toString("base64");
const shifted = ["", "a", "ab"].map((before) =>
  Buffer.from(`${before}${value}cd`).toString("base64").slice(4, 16),
);
const encodings = [
  value,
  encodeURIComponent(value),
  base64,
  base64.slice(0, 16),
  ...shifted,
  Buffer.from(value).toString("hex"),
];

/** Everything below a folder, as one text. */
function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

function assertClean(text: string, what: string): void {
  for (const encoding of encodings)
    assert.ok(!text.includes(encoding), `${what} holds ${encoding}`);
}

function openShop(folder: string, isSealed = true): Promise<Desk> {
  const secrets = new Secrets(
    { shop: { source: { from: "env", variable: "SHOP" } } },
    { environment: { SHOP: value } },
  );
  const leak = textTool("leak", "write", async (text, call) => {
    const password = isSealed ? await call.secret("secret://shop") : value;
    assert.equal(password, value);
    const auth = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
    call.warn(`used ${password}`);
    call.progress(1, 2, `logging in with ${password}`);
    await call.step(`log in ${password}`, () => {});
    call.artifact(Buffer.from(`<p>${password} ${auth}</p>`), {
      name: `${password}.html`,
      title: auth,
      mimeType: "text/html",
    });
    if (text === "fail")
      throw new ToolFailure("tool_failed", `Wrong: ${password}`, {
        hint: auth,
        cause: new Error(auth),
      });
    if (text === "throw")
      throw new Error(`GET https://x.example/?p=${encodeURIComponent(password)}`);
    return `${password} ${auth} ${encodeURIComponent(password)} ${text}`;
  });
  const features = isSealed ? createFeatures({ stateDir: folder, secrets }) : [];
  return openDesk([leak], { stateDir: folder, features, isKept: true });
}

async function leakEverywhere(desk: Desk): Promise<string> {
  desk.grant("t1", ["leak"], 10);
  const seen: unknown[] = [];
  for (const [index, text] of ["ok", "fail", "throw", value].entries())
    seen.push(await desk.call("leak", { text, task_id: "t1", call_id: `c${index}` }));
  seen.push(await desk.call("leak", { text: 5, [value]: 1, task_id: "t1", call_id: "c9" }));
  desk.peer.start("tools/call", {
    name: "leak",
    arguments: { text: "wire", task_id: "t1", call_id: "wire" },
    _meta: { progressToken: 1 },
  });
  const progress = await desk.peer.next();
  assert.equal(progress.method, "notifications/progress");
  return JSON.stringify([seen, progress, await desk.peer.next(), desk.reports]);
}

describe("a secret that a tool spills everywhere", () => {
  test("is in no result, report or file of the state", async () => {
    const folder = makeFolder();
    try {
      let shown: string;
      {
        await using desk = await openShop(folder);
        shown = await leakEverywhere(desk);
        const { store } = desk.gate;
        const trace = new TraceBook(store).find("c1");
        assert.match(trace?.fault ?? "", /Wrong: secret:\/\/shop[^]*Caused by/);
        assert.deepEqual(new TraceBook(store).find("c3")?.code, "ok");
        assert.equal(Array.from(readAudit(store, { writes: true })).length, 11);
        assert.equal(verifyAudit(store).ok, true);
      }
      assert.match(shown, /secret:\/\/shop/);
      assert.match(readAll(folder), /<p>secret:\/\/shop Basic [\w/:]*<\/p>/);
      assertClean(shown, "what is shown");
      assertClean(readAll(folder), "the state folder");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("would be found in all of them without the feature", async () => {
    const folder = makeFolder();
    try {
      await using desk = await openShop(folder, false);
      const shown = await leakEverywhere(desk);
      assert.throws(() => assertClean(shown, "what is shown"));
      assert.throws(() => assertClean(readAll(folder), "the state folder"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("does not hinder a record of arguments that are nothing but brackets", async () => {
    const folder = makeFolder();
    const echo = textTool("echo", "read", (text) => text);
    await using desk = await openDesk([echo], {
      stateDir: folder,
      features: createFeatures({ stateDir: folder }),
    });
    const text: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    assert.equal((await desk.call("echo", { text })).code, "invalid_arguments");
    const [record] = readAudit(desk.gate.store);
    assert.equal(record?.body["code"], "invalid_arguments");
    const [trace] = new TraceBook(desk.gate.store).list();
    assert.equal(trace?.summary, "text=[1]");
    assert.match(JSON.stringify(trace?.args), /^\{"text":\[{199}"…"\]{199}\}$/);
  });

  test("is refused as an id, and in what a tool publishes", async () => {
    const folder = makeFolder();
    const secrets = new Secrets(
      { shop: { source: { from: "env", variable: "SHOP" } } },
      { environment: { SHOP: "correct-horse-7" } },
    );
    const features = createFeatures({ stateDir: folder, secrets });
    const echo = textTool("echo", "read", (text) => text);
    await using desk = await openDesk([echo], { stateDir: folder, features });
    const refused = await desk.call("echo", { task_id: "t1", call_id: "correct-horse-7" });
    assert.deepEqual(
      [refused.code, refused.call_id, refused.message],
      [
        "invalid_arguments",
        "secret://shop",
        `Invalid arguments for echo: "call_id" holds a secret, expected another id`,
      ],
    );
    const spilt = textTool("spilt", "read", (text) => text, {
      description: "Log in with correct-horse-7",
    });
    assert.throws(
      () => desk.gate.addTo(desk.server, [spilt]),
      /Cannot add the tool "spilt": what it publishes holds a secret/,
    );
    assertClean(readAll(folder), "the state folder");
    assert.ok(!readAll(folder).includes("correct-horse-7"));
  });
});
