// The official conformance suite against Genkan's server and client, and docs/conformance.md against what it finds.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { makePage, nameSuite, pageFile } from "./page.ts";
import { refereeTimeoutMs } from "./referee.ts";
import { listShortcomings, runSuite, type Report } from "./run-suite.ts";
import { startServer, type EverythingServer } from "./start-server.ts";
import { suites } from "./suites.ts";

/** One run lists what is required, and runs it. */
const timeout = 2 * refereeTimeoutMs;

describe("the official conformance suite", { timeout: suites.length * timeout }, () => {
  let starting: Promise<EverythingServer> | undefined;
  const reports: Report[] = [];

  after(async () => (await starting)?.[Symbol.asyncDispose]());

  for (const suite of suites) {
    test(`${nameSuite(suite)}: everything required is passed`, { timeout }, async () => {
      starting ??= startServer();
      const report = await runSuite(suite, (await starting).url);
      reports.push(report);
      assert.deepEqual(listShortcomings(report), []);
    });
  }

  test("docs/conformance.md says what was found: npm run conformance -- --write", () => {
    assert.equal(existsSync(pageFile) ? readFileSync(pageFile, "utf8") : "", makePage(reports));
  });
});
