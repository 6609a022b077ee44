// Whatever stands in a file, reading it gives pages or says what is wrong with it; and a page fits into the database.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  dataForSeoAnswer,
  dataForSeoOverview,
  dataForSeoTask,
  serpApiLateOverview,
  serpApiOverview,
  serpApiPage,
} from "../../../fixtures/result-pages.ts";
import { importLimits, type Link } from "./page.ts";
import { parsePages } from "./parse-pages.ts";

const originals = [
  serpApiPage({ overview: serpApiOverview }),
  serpApiLateOverview("t"),
  dataForSeoAnswer(dataForSeoTask({ items: [dataForSeoOverview] })),
];

/** Puts any value in the place of any of those in a page. */
const damaged = fc
  .tuple(
    fc.constantFrom(...originals),
    fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 4 }),
  )
  .map(([original, changes]) => {
    const copy = structuredClone(original);
    for (const [at, value] of changes) {
      const places: (readonly [holder: Record<string, unknown>, key: string])[] = [];
      const visit = (holder: object): void => {
        for (const [key, inner] of Object.entries(holder)) {
          places.push([holder as Record<string, unknown>, key]);
          if (typeof inner === "object" && inner !== null) visit(inner);
        }
      };
      visit(copy);
      const [holder, key] = places[at % places.length]!;
      holder[key] = value;
    }
    return copy;
  });

const read = (text: string) => parsePages(Buffer.from(text));

test("parsePages() gives pages or a fault, whatever was damaged", () => {
  fc.assert(
    fc.property(fc.oneof(damaged, fc.jsonValue()), (value) => {
      const parsed = read(JSON.stringify(value));
      if ("fault" in parsed) assert.match(parsed.fault, /\S, expected \S|, expected/);
      else
        for (const { keyword, overview, organic, status } of parsed.pages) {
          assert.ok(keyword.trim() !== "" && keyword.length <= importLimits.keyword);
          assert.ok(status === "ok" || overview.kind === "unknown");
          checkLinks(organic);
          if (overview.kind === "present") checkLinks(overview.citations);
        }
    }),
    { numRuns: 2_000 },
  );
});

function checkLinks(links: readonly Link[]): void {
  assert.equal(new Set(links.map(({ position }) => position)).size, links.length);
  for (const { position, url, domain, title } of links) {
    assert.ok(Number.isSafeInteger(position) && position >= 1);
    assert.ok(url === null || (/^https?:/i.test(url) && url.length <= importLimits.url));
    assert.ok(domain === null || domain.length <= 253);
    assert.ok(title === null || title.length <= importLimits.title);
  }
}

for (const [what, text] of [
  ["ten million brackets", "[".repeat(10_000_000)],
  ["an object in an object, 100 000 times", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  [
    "names that objects inherit",
    '{"__proto__":{"tasks":[]},"constructor":1,"tasks":{"__proto__":[]},"status_code":"x"}',
  ],
  [
    "overviews in overviews",
    JSON.stringify(dataForSeoAnswer(dataForSeoTask({ items: [nest(1_000)] }))),
  ],
] as const) {
  test(`parsePages() reads ${what} to its end`, () => {
    const parsed = read(text);
    assert.ok("fault" in parsed || parsed.pages.length === 1);
  });
}

function nest(depth: number): object {
  let part: object = { references: [{ url: "https://deep.example/", title: "deep" }] };
  for (let level = 0; level < depth; level++) part = { items: [part] };
  return { ...part, type: "ai_overview" };
}

test("positions that are missing, taken or absurd are replaced by the next", () => {
  const organic = [3, 3, undefined, "1", 0, -1, 1.5, 1e300, 2 ** 53, 9].map((position) => ({
    position,
  }));
  const parsed = read(JSON.stringify(serpApiPage({ more: { organic_results: organic } })));
  assert.ok(!("fault" in parsed));
  assert.deepEqual(
    parsed.pages[0]?.organic.map(({ position }) => position),
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
});

for (const [given, time] of [
  ["2026-03-02 06:00:02 UTC", "2026-03-02T06:00:02Z"],
  ["2026-03-02 15:00:02 +09:00", "2026-03-02T06:00:02Z"],
  ["2026-03-02T06:00:02.123Z", "2026-03-02T06:00:02Z"],
  ["yesterday", null],
  ["2026-03-02", null],
  [1_772_431_202, null],
] as const) {
  test(`the time ${JSON.stringify(given)} is read as ${time}`, () => {
    const metadata = { processed_at: given, created_at: undefined };
    const parsed = read(JSON.stringify(serpApiPage({ metadata })));
    assert.ok(!("fault" in parsed));
    assert.equal(parsed.pages[0]?.fetchedAt, time);
  });
}

test("texts are cut between two characters", () => {
  const title = `${"a".repeat(importLimits.title - 2)}😀😀`;
  const organic = [{ position: 1, link: "https://a.example/", title }];
  const parsed = read(JSON.stringify(serpApiPage({ more: { organic_results: organic } })));
  assert.ok(!("fault" in parsed));
  assert.equal(parsed.pages[0]?.organic[0]?.title, `${"a".repeat(importLimits.title - 2)}…`);
});
