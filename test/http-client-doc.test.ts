// docs/http-client.md names tests that are there, and limits that hold.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaultMaxLineBytes } from "../src/transport/index.ts";
import { maxAuthorizations } from "../src/transport/http-client/authorizer.ts";
import { maxErrorBytes } from "../src/transport/http-client/body.ts";
import { maxSockets } from "../src/transport/http-client/carrier.ts";
import { maxDocumentBytes } from "../src/transport/http-client/fetch-document.ts";
import { askTimeoutMs } from "../src/transport/http-client/http-client-transport.ts";
import { maxIdleReconnects } from "../src/transport/http-client/listening.ts";
import { postTimeoutMs } from "../src/transport/http-client/outbox.ts";
import { maxRedirects } from "../src/transport/http-client/redirect.ts";
import { maxIdleResumes } from "../src/transport/http-client/resume-stream.ts";
import { maxStepUps } from "../src/client/oauth/oauth-authorizer.ts";

const page = read("docs/http-client.md");

test("each demand of the specification names tests that are there", () => {
  const rows = [...page.matchAll(/^\| .+ \| (`[^|]+` in (\S+\.test\.ts)[^|]*) \|$/gm)];
  assert.ok(rows.length >= 20, `${rows.length} rows`);
  for (const [, cell = "", file = ""] of rows) {
    const text = read(file);
    for (const [, title = ""] of cell.matchAll(/`([^`]+)`/g))
      assert.ok(text.includes(title), `${file} has "${title}"`);
  }
});

test("each limit has the default that is written there", () => {
  const limits = {
    maxLineBytes: defaultMaxLineBytes,
    maxSockets,
    maxRedirects,
    maxAuthorizations,
    maxStepUps,
    maxIdleReconnects,
    maxIdleResumes,
    maxErrorBytes,
    maxDocumentBytes,
    postTimeoutMs,
    askTimeoutMs,
  };
  const units: Readonly<Record<string, number>> = { MiB: 1024 * 1024, KiB: 1024 };
  for (const [name, value] of Object.entries(limits)) {
    const [, number = "", unit = ""] =
      new RegExp(`^\\| \`${name}\`[^|]*\\| ([\\d ]*\\d)(?: (\\w+))? \\|`, "m").exec(page) ?? [];
    assert.equal(Number(number.replaceAll(" ", "")) * (units[unit] ?? 1), value, name);
  }
});

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
}
