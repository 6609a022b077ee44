import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { Redactor } from "./redactor.ts";
import { findSecretFault } from "./secret-value.ts";

function knowing(values: Readonly<Record<string, string>>): Redactor {
  const redactor = new Redactor();
  for (const [name, value] of Object.entries(values)) redactor.add(name, value);
  return redactor;
}

const value = 'p@ss/wörd "x"&<é>+1?';
const ref = "secret://shop";

const encodings: readonly (readonly [name: string, encode: (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["encodeURIComponent", encodeURIComponent],
  ["encodeURI", encodeURI],
  ["a form's field", (text) => new URLSearchParams([["", text]]).toString().slice(1)],
  ["percent, every byte, small letters", (text) => encodeBytes(text, (hex) => `%${hex}`)],
  [
    "percent, every byte, twice",
    (text) => encodeURIComponent(encodeBytes(text, (hex) => `%${hex}`)),
  ],
  ["percent, twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["JSON", (text) => JSON.stringify(text).slice(1, -1)],
  ["JSON in JSON", (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3)],
  ["JSON in ASCII", (text) => JSON.stringify(text).slice(1, -1).replaceAll(/[éö]/g, toEscape)],
  ["hexadecimal", (text) => encodeBytes(text, (hex) => hex)],
  ["hexadecimal, capitals", (text) => encodeBytes(text, (hex) => hex).toUpperCase()],
  [
    "HTML",
    (text) =>
      text
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;"),
  ],
  ["base64", (text) => Buffer.from(text).toString("base64")],
  ["base64url", (text) => Buffer.from(text).toString("base64url")],
  ["base64, percent-encoded", (text) => encodeURIComponent(Buffer.from(text).toString("base64"))],
];

function encodeBytes(text: string, encode: (hex: string) => string): string {
  return Array.from(Buffer.from(text), (byte) => encode(byte.toString(16).padStart(2, "0"))).join(
    "",
  );
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

describe("Redactor", () => {
  for (const [name, encode] of encodings) {
    test(`finds a value: ${name}`, () => {
      const redactor = knowing({ shop: value });
      assert.equal(redactor.redactText(`a=${encode(value)}&b`), `a=${ref}&b`);
      assert.equal(redactor.redactText(encode(value)), ref);
    });
  }

  test("finds a value in base64 wherever it begins, with what shares its letters", () => {
    const redactor = knowing({ shop: "s3cret-token-9" });
    for (const before of ["", "a", "ab", "user:", "Bearer "])
      for (const after of ["", "z", "zy", "zyx"])
        for (const encoding of ["base64", "base64url"] as const) {
          const text = Buffer.from(`${before}s3cret-token-9${after}`).toString(encoding);
          const redacted = redactor.redactText(`<${text}>`);
          assert.match(redacted, /^<[A-Za-z0-9+/_-]*secret:\/\/shop[A-Za-z0-9+/_-]*=*>$/);
          const rest = redacted.slice(1, -1).split(ref);
          for (const part of rest) {
            const read = Buffer.from(part, "base64").toString("latin1");
            assert.ok(!/s3|9$/.test(read) || part === "", `${redacted} still tells ${read}`);
          }
        }
  });

  test("leaves every other text as it is", () => {
    const redactor = knowing({ shop: value, card: "4242424242424242" });
    for (const text of [
      "",
      "p@ss",
      "p@ss/word",
      "100% %zz %4",
      "secret://shop",
      "4242 4242",
      "cEBzcy93",
    ])
      assert.equal(redactor.redactText(text), text);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        assert.equal(redactor.redactText(text), text);
      }),
    );
  });

  test("takes all of what overlaps, and what its own mark would complete", () => {
    const redactor = knowing({ a: "abcdefgh12", b: "gh12345678", c: "://a-tail99" });
    assert.equal(redactor.redactText("<abcdefgh12345678>"), "<secret://a>");
    assert.doesNotMatch(redactor.redactText("abcdefgh12-tail99"), /:\/\/a-tail99/);
  });

  test("finds the longest of values that begin alike, and long values only whole", () => {
    const key = `${"k".repeat(4)}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`;
    const redactor = knowing({ short: "kkkkABCDEFGH", long: key });
    assert.equal(redactor.redactText(`<${key}>`), "<secret://long>");
    assert.equal(redactor.redactText("kkkkABCDEFGHI"), "secret://shortI");
    const inner = knowing({ outer: "zz-abcdefgh-tail", inner: "abcdefgh" });
    assert.equal(inner.redactText("zz-abcdefgh!"), "zz-secret://inner!");
    const alone = knowing({ long: key });
    assert.equal(alone.redactText(key.slice(0, -1)), key.slice(0, -1));
  });

  test("finds the lines of a key, and not its head", () => {
    const redactor = knowing({
      key: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\r\nkiG9w0BAQEFAASCBKcw\nshort=\n-----END PRIVATE KEY-----",
    });
    const text = "-----BEGIN PRIVATE KEY-----|MIIEvQIBADANBgkqh|kiG9w0BAQEFAASCBKcw|short=";
    assert.equal(
      redactor.redactText(text),
      "-----BEGIN PRIVATE KEY-----|secret://key|secret://key|short=",
    );
  });

  test("remembers the values a secret had before", () => {
    const redactor = knowing({ shop: "the-old-value" });
    redactor.add("shop", "the-new-value");
    assert.equal(redactor.redactText("the-old-value the-new-value"), `${ref} ${ref}`);
  });

  test("finds values in names, texts within texts, and numbers of a JSON value", () => {
    const redactor = knowing({ shop: value, pin: "73549182" });
    const data = { list: [1, { [value]: JSON.stringify({ pass: value }) }], id: 73549182, n: null };
    assert.equal(redactor.hasSecret(data), true);
    assert.deepEqual(redactor.redactValue(data), {
      list: [1, { [ref]: `{"pass":"${ref}"}` }],
      id: "secret://pin",
      n: null,
    });
    const other = { list: [1, { a: "b" }], id: 7354918 };
    assert.equal(redactor.redactValue(other), other);
    assert.equal(redactor.hasSecret(other), false);
  });

  test("leaves no secret behind, in any encoding, whatever stands around it", () => {
    const secrets = fc
      .string({ minLength: 8, maxLength: 40 })
      .filter((text) => findSecretFault(text, ["x"]) === undefined);
    const around = fc.string({ maxLength: 20 });
    const encoding = fc.constantFrom(...encodings);
    fc.assert(
      fc.property(secrets, around, around, encoding, (secret, before, after, [, encode]) => {
        const redactor = knowing({ x: secret });
        const redacted = redactor.redactText(before + encode(secret) + after);
        assert.ok(!redacted.includes(encode(secret)), redacted);
        assert.equal(redactor.redactText(redacted), redacted);
        assert.equal(redactor.hasSecret(redacted), false);
      }),
      { numRuns: 500 },
    );
  });

  test("looks through a long text once, whatever it is made of", () => {
    const redactor = knowing({ a: "aaaaaaab-1234", b: "aaaaaaaaaaaaaaaaaaaaaaaaaaaabc1" });
    for (const unit of ["a", "%61", "aaaaaaab-123", "YWFh"]) {
      const text = unit.repeat(1_000_000 / unit.length);
      assert.equal(redactor.redactText(text), text);
    }
  });
});

describe("findSecretFault()", () => {
  for (const [text, fault] of [
    ["abc", /it has 3 characters, expected at least 8/],
    ["1234567", /7 characters/],
    ["12345678", undefined],
    ["aabbccaa", /fewer than 4 different/],
    ["x y-zabcd", undefined],
    [" abcdefgh", /white space/],
    ["abcd\0efgh", /no text/],
    ["shop-token", /"secret:\/\/my-shop-token" tells it/],
    ["abcd".repeat(16_384), undefined],
    [`${"abcd".repeat(16_384)}e`, /longer than 65536 bytes/],
  ] as const)
    test(`${text.slice(0, 20)} of ${text.length}: ${String(fault)}`, () => {
      const found = findSecretFault(text, ["my-shop-token"]);
      if (fault === undefined) assert.equal(found, undefined);
      else assert.match(found ?? "", fault);
    });
});
