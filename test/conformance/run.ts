/** `npm run conformance [-- --write]`: runs all suites, prints what they found, and exits with 1 for anything required that failed. */

import { writeFileSync } from "node:fs";
import { makePage, makeSummary, nameSuite, pageFile } from "./page.ts";
import { listShortcomings, runSuite, type Report } from "./run-suite.ts";
import { startServer } from "./start-server.ts";
import { suites } from "./suites.ts";

await using server = await startServer();
const reports: Report[] = [];
for (const suite of suites) {
  console.error(`${nameSuite(suite)} …`);
  const report = await runSuite(suite, server.url);
  reports.push(report);
  for (const line of listShortcomings(report)) {
    console.log(`${nameSuite(suite)}: ${line}`);
    process.exitCode = 1;
  }
}
if (process.argv.includes("--write")) writeFileSync(pageFile, makePage(reports));
console.log(makeSummary(reports));
