import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { nothingRemoved, sanitiseText, type Removed } from "./sanitise.ts";
import { sanitiseUrl } from "./sanitise-url.ts";
import { describeRemoved, labelExternal, sanitiseValue } from "./sanitise-value.ts";

const rows: readonly (readonly [name: string, dirty: string, clean: string, Partial<Removed>])[] = [
  ["plain text", "Grüße, 日本 😀\n\tend", "Grüße, 日本 😀\n\tend", {}],
  ["C0 and C1 controls", "a\0b\x07c\x7fd\x84e", "abcde", { controls: 4 }],
  ["line ends", "a\r\nb\rc\u0085d\u2028e\u2029f", "a\nb\nc\nd\ne\nf", {}],
  ["a colour", "\x1b[1;31mred\x1b[0m", "red", { escapes: 2 }],
  ["a CSI of one character", "\u009b31mred", "red", { escapes: 1 }],
  ["a window title", "a\x1b]0;title\x07b", "ab", { escapes: 1 }],
  ["a link, ended by ESC \\", "\x1b]8;;https://x\x1b\\text\x1b]8;;\x1b\\", "text", { escapes: 2 }],
  ["an OSC of one character, ended by ST", "a\u009d0;t\u009cb", "ab", { escapes: 1 }],
  ["a device control string", "a\x1bPq#0\n~\x1b\\b", "ab", { escapes: 1 }],
  ["a choice of character set", "\x1b(Ba\x1bcb", "ab", { escapes: 2 }],
  ["a string without an end: the rest stays", "a\x1b]0;rest", "a0;rest", { escapes: 1 }],
  ["a sequence that another control breaks", "\x1b[3\x001m", "31m", { escapes: 1, controls: 1 }],
  ["a lone escape", "a\x1b", "a", { controls: 1 }],
  ["an escape before an emoji", "\x1b😀", "😀", { controls: 1 }],
  [
    "an escape that a mark parts from its letters",
    "\x1b\u200b[31m",
    "[31m",
    { controls: 1, zeroWidth: 1 },
  ],
  ["an override", "user\u202Egnp.exe\u2066x\u2069\u200f", "usergnp.exex", { bidi: 4 }],
  ["zero width", "a\u200bb\u2060c\ufeffd\u00ade\u3164f\u034fg", "abcdefg", { zeroWidth: 6 }],
  ["tag characters", "hi\u{e0001}\u{e0069}\u{e007f}", "hi", { tags: 3 }],
  ["a flag of tags keeps its flag", "🏴\u{e0067}\u{e0062}\u{e007f}", "🏴", { tags: 3 }],
  ["lone surrogates", "a\ud83db\udc00\ud800", "a\ufffdb\ufffd\ufffd", { surrogates: 3 }],
  [
    "halves that a mark keeps apart",
    "\ud83d\u200b\ude00",
    "\ufffd\ufffd",
    { surrogates: 2, zeroWidth: 1 },
  ],
  ["a family", "👩🏽‍👩‍👧 ❤️‍🔥 1️⃣", "👩🏽‍👩‍👧 ❤️‍🔥 1️⃣", {}],
  ["Persian and Hindi", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष", {}],
  [
    "joiners that join nothing",
    "a\u200db\u200c 😀\u200d\u200d😀\u200d",
    "ab 😀\u200d😀",
    { zeroWidth: 4 },
  ],
  ["a joiner of letters between emoji", "😀\u200c😀", "😀😀", { zeroWidth: 1 }],
  [
    "bytes hidden behind an emoji",
    "😀\ufe0f\ufe01\u{e0101}\u{e0102}",
    "😀\ufe0f",
    { zeroWidth: 3 },
  ],
  ["an ideograph's form", "辻\u{e0100}a\u{e0100}", "辻\u{e0100}a", { zeroWidth: 1 }],
];

describe("sanitiseText()", () => {
  for (const [name, dirty, clean, counts] of rows)
    test(name, () => {
      const { text, removed } = sanitiseText(dirty);
      assert.equal(text, clean);
      assert.deepEqual(removed, { ...nothingRemoved, ...counts });
    });

  test("cuts at the limit, not before it and never within a character", () => {
    for (const [text, maxLength, expected, cut] of [
      ["abcd", 4, "abcd", 0],
      ["abcde", 4, "abc…", 2],
      ["ab😀d", 4, "ab…", 3],
      ["👩‍👩", 4, "👩…", 3],
      ["abc", 1, "…", 3],
      ["abc", 0, "", 3],
    ] as const) {
      const result = sanitiseText(text, { maxLength });
      assert.deepEqual([result.text, result.removed.cut], [expected, cut]);
    }
  });

  test("makes one line where one is wanted", () => {
    assert.equal(sanitiseText("a\r\nb\tc", { lines: false }).text, "a b c");
  });

  const parts = rows.flatMap(([, dirty]) => Array.from(dirty));
  const hostile = fc
    .array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.constantFrom(...new Set(parts), "\ud83d", "\udc00", "\x1b", "\x1b]"),
        },
        { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
      ),
      { maxLength: 40 },
    )
    .map((list) => list.join(""));

  test("changes nothing that is clean, and leaves nothing that acts", () => {
    fc.assert(
      fc.property(
        hostile,
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        (text, maxLength, lines) => {
          const { text: clean } = sanitiseText(text, { maxLength, lines });
          assert.ok(clean.length <= maxLength);
          assert.ok(clean.isWellFormed());
          assert.doesNotMatch(
            clean,
            /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}\u200B]/u,
          );
          const again = sanitiseText(clean, { maxLength, lines });
          assert.equal(again.text, clean);
          assert.deepEqual(again.removed, nothingRemoved);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("looks at each character a bounded number of times", () => {
    for (const unit of [
      "\x1b]",
      "\x1b]x",
      "\x1b[1",
      "\x1bP",
      "\u200d",
      "😀\u200d",
      "\ud800",
      "\x1b[ ",
    ]) {
      const text = unit.repeat(500_000 / unit.length); // quadratic work would take minutes: the runner's limit stops it
      assert.ok(sanitiseText(text, { maxLength: Infinity }).text.length <= text.length);
    }
  });
});

describe("sanitiseUrl()", () => {
  for (const [text, url, removed] of [
    ["https://example.com", "https://example.com/", []],
    [
      "HTTP://User:pass@Example.com:80/a/../b?q=1#f",
      "http://example.com/b",
      ["userinfo", "query", "fragment"],
    ],
    [" https://x.example/a?\n#", "https://x.example/a", []],
    ["https://x.example/a#?q", "https://x.example/a", ["fragment"]],
  ] as const)
    test(JSON.stringify(text), () => {
      assert.deepEqual(sanitiseUrl(text), { url, removed });
    });

  for (const text of [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "//x/y",
    "",
    "https://",
  ])
    test(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(sanitiseUrl(text).url, undefined);
    });

  test("refuses what is longer than its limit, and takes what is as long", () => {
    const url = "https://x.example/abc";
    assert.equal(sanitiseUrl(url, url.length).url, url);
    assert.equal(sanitiseUrl(`${url}d`, url.length).url, undefined);
    assert.equal(sanitiseUrl(`${url}?d=1`, url.length).url, url);
  });

  test("changes nothing that it gave", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const { url } = sanitiseUrl(text);
        if (url !== undefined) assert.deepEqual(sanitiseUrl(url), { url, removed: [] });
      }),
    );
  });
});

describe("sanitiseValue()", () => {
  test("cleans texts and names, counts over all, and keeps names apart", () => {
    const { value, removed } = sanitiseValue({
      list: ["a\0", 1, null, true],
      "k\u200b": 1,
      k: { "__proto__\0": "x" },
    });
    assert.deepEqual(Object.entries(value as object), [
      ["list", ["a", 1, null, true]],
      ["k", 1],
      ["k_2", Object.fromEntries([["__proto__", "x"]])],
    ]);
    assert.equal(
      describeRemoved(removed),
      "Removed from outside text: control characters: 2, invisible characters: 1",
    );
  });

  test("gives the same object when there is nothing to clean, and what a date becomes", () => {
    const clean = { a: ["b", { c: 1 }], n: NaN };
    assert.equal(sanitiseValue(clean).value, clean);
    assert.deepEqual(sanitiseValue([new Date(0), { toJSON: () => "x\0" }]).value, [
      "1970-01-01T00:00:00.000Z",
      "x",
    ]);
    assert.equal(describeRemoved(nothingRemoved), undefined);
  });

  test("labelExternal() puts the label beside the data", () => {
    assert.deepEqual(labelExternal({ title: "x" }), {
      title: "x",
      data_trust: "untrusted_external",
    });
  });
});
