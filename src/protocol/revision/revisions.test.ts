// What the specification says of each revision, written out once more by hand from its schema and its pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findRevision,
  latestHandshake,
  latestStateless,
  negotiateHandshake,
  revisions,
  versionsOf,
} from "./revisions.ts";
import type { Revision } from "./revision.ts";

const versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
type Version = (typeof versions)[number];

test("the revisions stand newest first", () => {
  assert.deepEqual(versionsOf(), versions);
  assert.deepEqual(versions, versionsOf().toSorted().toReversed());
});

test("every revision has the same members", () => {
  for (const revision of revisions) {
    assert.deepEqual(Object.keys(revision).toSorted(), Object.keys(latestHandshake).toSorted());
    assert.deepEqual(Object.keys(revision.members), Object.keys(latestHandshake.members));
  }
});

test("each era has its versions and its latest", () => {
  assert.deepEqual(versionsOf("stateless"), ["2026-07-28"]);
  assert.deepEqual(versionsOf("handshake"), versions.slice(1));
  assert.equal(latestStateless.version, "2026-07-28");
  assert.equal(latestHandshake.version, "2025-11-25");
});

test("findRevision() knows exact dates and nothing else", () => {
  for (const version of versions) assert.equal(findRevision(version)?.version, version);
  for (const version of ["", "2025-11-26", "2024-10-07", " 2025-11-25", "latest", "__proto__"])
    assert.equal(findRevision(version), undefined);
  for (const version of [undefined, null, 0, 20251125, {}, ["2025-11-25"]])
    assert.equal(findRevision(version), undefined);
});

const offers: readonly (readonly [requested: unknown, offered: Version])[] = [
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2024-11-05"],
  ["2026-07-28", "2025-11-25"], // has no initialize
  ["2024-10-07", "2025-11-25"],
  ["2099-01-01", "2025-11-25"],
  ["", "2025-11-25"],
  [undefined, "2025-11-25"],
  [null, "2025-11-25"],
  [20241105, "2025-11-25"],
];

for (const [requested, offered] of offers) {
  test(`initialize with ${JSON.stringify(requested)} is answered with ${offered}`, () => {
    assert.equal(negotiateHandshake(requested).version, offered);
  });
}

// The methods: the string literals of `method:` in each schema.ts, without the experimental tasks of 2025-11-25.

const always = [
  "completion/complete",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "tools/call",
  "tools/list",
];
const ofSessions = [
  "initialize",
  "logging/setLevel",
  "ping",
  "resources/subscribe",
  "resources/unsubscribe",
];

test("the handshake era has sessions, ping, subscriptions to resources and a log level", () => {
  for (const revision of revisions.filter(({ era }) => era === "handshake"))
    assert.deepEqual(
      [...revision.clientRequests].toSorted(),
      [...always, ...ofSessions].toSorted(),
      revision.version,
    );
});

test("2026-07-28 has discovery and one subscription stream instead", () => {
  assert.deepEqual(
    [...latestStateless.clientRequests].toSorted(),
    [...always, "server/discover", "subscriptions/listen"].toSorted(),
  );
});

holds("what a server may ask", ({ serverRequests }) => [...serverRequests].toSorted(), {
  "2024-11-05": ["ping", "roots/list", "sampling/createMessage"],
  "2025-03-26": ["ping", "roots/list", "sampling/createMessage"],
  "2025-06-18": ["elicitation/create", "ping", "roots/list", "sampling/createMessage"],
  "2025-11-25": ["elicitation/create", "ping", "roots/list", "sampling/createMessage"],
  "2026-07-28": ["elicitation/create", "roots/list", "sampling/createMessage"],
});

holds("batches are of 2025-03-26 only", ({ batches }) => batches, {
  "2024-11-05": false,
  "2025-03-26": true,
  "2025-06-18": false,
  "2025-11-25": false,
  "2026-07-28": false,
});

holds("bad arguments became tool errors in 2025-11-25", (one) => one.invalidArguments, {
  "2024-11-05": "protocol error",
  "2025-03-26": "protocol error",
  "2025-06-18": "protocol error",
  "2025-11-25": "tool error",
  "2026-07-28": "tool error",
});

holds("a missing resource became -32602 in 2026-07-28", (one) => one.resourceNotFound, {
  "2024-11-05": -32002,
  "2025-03-26": -32002,
  "2025-06-18": -32002,
  "2025-11-25": -32002,
  "2026-07-28": -32602,
});

holds("an unreadable id is null until it is left out", ({ unreadableId }) => unreadableId, {
  "2024-11-05": "null",
  "2025-03-26": "null",
  "2025-06-18": "null",
  "2025-11-25": "null",
  "2026-07-28": "omitted",
});

holds("structured content is an object, then anything", (one) => one.structuredContent, {
  "2024-11-05": "none",
  "2025-03-26": "none",
  "2025-06-18": "object",
  "2025-11-25": "object",
  "2026-07-28": "any",
});

holds("the kinds of content", ({ contentTypes }) => [...contentTypes].toSorted(), {
  "2024-11-05": ["image", "resource", "text"],
  "2025-03-26": ["audio", "image", "resource", "text"],
  "2025-06-18": ["audio", "image", "resource", "resource_link", "text"],
  "2025-11-25": ["audio", "image", "resource", "resource_link", "text"],
  "2026-07-28": ["audio", "image", "resource", "resource_link", "text"],
});

holds(
  "elicitation, and whether its URLs have ids",
  (one) => [one.elicitation, one.elicitationIds],
  {
    "2024-11-05": ["none", false],
    "2025-03-26": ["none", false],
    "2025-06-18": ["form", false],
    "2025-11-25": ["form and url", true],
    "2026-07-28": ["form and url", false],
  },
);

holds("progress messages and the completions capability", readSmallThings, {
  "2024-11-05": { progressMessage: false, completionsCapability: false, cacheHints: false },
  "2025-03-26": { progressMessage: true, completionsCapability: true, cacheHints: false },
  "2025-06-18": { progressMessage: true, completionsCapability: true, cacheHints: false },
  "2025-11-25": { progressMessage: true, completionsCapability: true, cacheHints: false },
  "2026-07-28": { progressMessage: true, completionsCapability: true, cacheHints: true },
});

// The members of each definition, in no order; `execution` of 2025-11-25's tools belongs to its experimental tasks.

holds("the members of an implementation", ({ members }) => sort(members.implementation), {
  "2024-11-05": sort(["name", "version"]),
  "2025-03-26": sort(["name", "version"]),
  "2025-06-18": sort(["name", "title", "version"]),
  "2025-11-25": sort(["name", "title", "version", "description", "websiteUrl", "icons"]),
  "2026-07-28": sort(["name", "title", "version", "description", "websiteUrl", "icons"]),
});

const tool2025 = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
holds("the members of a tool", ({ members }) => sort(members.tool), {
  "2024-11-05": sort(["name", "description", "inputSchema"]),
  "2025-03-26": sort(["name", "description", "inputSchema", "annotations"]),
  "2025-06-18": sort([...tool2025, "_meta"]),
  "2025-11-25": sort([...tool2025, "_meta", "icons"]),
  "2026-07-28": sort([...tool2025, "_meta", "icons"]),
});

const resource = ["uri", "name", "description", "mimeType", "annotations", "size"];
holds("the members of a resource", ({ members }) => sort(members.resource), {
  "2024-11-05": sort(resource),
  "2025-03-26": sort(resource),
  "2025-06-18": sort([...resource, "title", "_meta"]),
  "2025-11-25": sort([...resource, "title", "_meta", "icons"]),
  "2026-07-28": sort([...resource, "title", "_meta", "icons"]),
});

const template = ["uriTemplate", "name", "description", "mimeType", "annotations"];
holds("the members of a resource template", ({ members }) => sort(members.resourceTemplate), {
  "2024-11-05": sort(template),
  "2025-03-26": sort(template),
  "2025-06-18": sort([...template, "title", "_meta"]),
  "2025-11-25": sort([...template, "title", "_meta", "icons"]),
  "2026-07-28": sort([...template, "title", "_meta", "icons"]),
});

const prompt = ["name", "description", "arguments"];
holds("the members of a prompt", ({ members }) => sort(members.prompt), {
  "2024-11-05": sort(prompt),
  "2025-03-26": sort(prompt),
  "2025-06-18": sort([...prompt, "title", "_meta"]),
  "2025-11-25": sort([...prompt, "title", "_meta", "icons"]),
  "2026-07-28": sort([...prompt, "title", "_meta", "icons"]),
});

holds("the members of a prompt's argument", ({ members }) => sort(members.promptArgument), {
  "2024-11-05": sort(["name", "description", "required"]),
  "2025-03-26": sort(["name", "description", "required"]),
  "2025-06-18": sort(["name", "title", "description", "required"]),
  "2025-11-25": sort(["name", "title", "description", "required"]),
  "2026-07-28": sort(["name", "title", "description", "required"]),
});

/** Tests one fact of all five revisions. */
function holds<Fact>(
  name: string,
  read: (revision: Revision) => Fact,
  facts: Readonly<Record<Version, Fact>>,
): void {
  test(name, () => {
    const found = revisions.map((revision) => [revision.version, read(revision)]);
    assert.deepEqual(Object.fromEntries(found), facts);
  });
}

function sort(names: readonly string[]): readonly string[] {
  return names.toSorted();
}

function readSmallThings(revision: Revision): object {
  const { progressMessage, completionsCapability, cacheHints } = revision;
  return { progressMessage, completionsCapability, cacheHints };
}
