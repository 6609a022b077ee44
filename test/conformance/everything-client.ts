/**
 * A client that does what the official conformance suite wants to watch: `everything-client.ts <url>`, the scenario's name, what
 * is known beforehand and the revision in the environment. Prints "done" when all went as it has to go with a good client.
 */

import { connect } from "../../src/index.ts";
import { findAct } from "./everything/acts.ts";
import { authFor, isToBeRefused, readKnown } from "./everything/authorization.ts";
import { handlers } from "./everything/handlers.ts";

const {
  MCP_CONFORMANCE_SCENARIO: scenario = "",
  MCP_CONFORMANCE_PROTOCOL_VERSION: version = "",
  MCP_CONFORMANCE_CONTEXT: given = "{}",
} = process.env;
const known = readKnown(JSON.parse(given));
const url = process.argv.at(-1) ?? "";

// The suite ends only the shell it starts, and waits for ever for the connections of a client that stayed.
setTimeout(() => process.exit(2), 100_000).unref();

try {
  const auth = authFor(scenario, known);
  await using client = await connect(auth === undefined ? { url } : { url, auth }, {
    clientInfo: { name: "everything", version: "1.0.0" },
    era: version < "2026" ? "handshake" : "stateless",
    handlers,
  });
  await findAct(scenario)(client, known);
  if (isToBeRefused(scenario)) throw new Error("All went well, expected a refusal");
  console.log("done");
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isExpected = isToBeRefused(scenario) && code === "unauthorized";
  if (isExpected) console.log("done");
  console.error(error);
  process.exitCode = isExpected ? 0 : 1;
}
