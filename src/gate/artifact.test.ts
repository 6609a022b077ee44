import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openDesk, textTool } from "../../fixtures/gate.ts";
import { ArtifactShelf } from "./artifact.ts";

const picture = textTool("picture", "read", (text, call) => {
  const { uri } = call.artifact(new Uint8Array(Number(text)), {
    name: "page.png",
    mimeType: "image/png",
    title: "A page",
  });
  return uri;
});

test("bytes come back as a resource link, are read as a resource, and go when they are old", async () => {
  let now = Date.now();
  await using desk = await openDesk([picture], { now: () => now });
  const args = { text: "3", task_id: "t1", call_id: "c1" };
  const { result } = await desk.peer.request("tools/call", { name: "picture", arguments: args });
  const uri: string = result.structuredContent.data.text;
  assert.deepEqual(result.content[1], {
    type: "resource_link",
    uri,
    name: "page.png",
    mimeType: "image/png",
    size: 3,
    title: "A page",
  });
  const again = await desk.peer.request("tools/call", { name: "picture", arguments: args });
  assert.deepEqual(again.result.content[1], result.content[1]);
  assert.equal(again.result.structuredContent.replayed, true);

  const read = await desk.peer.request("resources/read", { uri });
  assert.deepEqual(read.result.contents, [{ uri, mimeType: "image/png", blob: "AAAA" }]);
  for (const other of ["0".repeat(32), "x", "..%2F..%2Fstate.db"]) {
    const { error } = await desk.peer.request("resources/read", {
      uri: `artifact://genkan/${other}`,
    });
    assert.ok(error !== undefined, other);
  }
  now += 24 * 3_600_000 + 1000;
  assert.ok((await desk.peer.request("resources/read", { uri })).error !== undefined);
  await desk.call("picture", { text: "1" });
  assert.equal(readdirSync(join(desk.folder, "artifacts")).length, 1);
});

test("one artifact, and all together, have a size they may not go over", async () => {
  await using desk = await openDesk([picture], {
    limits: { artifactBytes: 100, artifactsBytes: 250 },
  });
  for (const size of [99, 100])
    assert.equal((await desk.call("picture", { text: String(size) })).code, "ok");
  const large = await desk.call("picture", { text: "101" });
  assert.deepEqual(
    [large.code, large.message],
    [
      "tool_failed",
      'Cannot keep "page.png": it would take 101 bytes, expected at most 100 (artifactBytes)',
    ],
  );
  assert.equal(
    (await desk.call("picture", { text: "52" })).message,
    'Cannot keep "page.png": it would take 251 bytes, expected at most 250 (artifactsBytes)',
  );
  assert.equal((await desk.call("picture", { text: "51" })).code, "ok");
});

test("a type that is no media type is a fault of the tool", async () => {
  await using desk = await openDesk([]);
  const shelf = new ArtifactShelf(
    desk.folder,
    { artifactBytes: 9, artifactsBytes: 9, artifactTtlMs: 9 },
    Date.now,
  );
  assert.throws(() => shelf.keep(new Uint8Array(1), { name: "x", mimeType: "../../x" }), {
    code: "invalid-artifact",
  });
});
