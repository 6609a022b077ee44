/** A server with all that the official conformance suite looks for; serves over HTTP and prints its URL on stdout. */

import { createServer, serveHttp } from "../../src/index.ts";
import { addChangingLists } from "./everything/changing-lists.ts";
import { addContentTools } from "./everything/content-tools.ts";
import { addPrompts } from "./everything/prompts.ts";
import { addQuestionTools } from "./everything/question-tools.ts";
import { addResources } from "./everything/resources.ts";
import { addRoundTools } from "./everything/round-tools.ts";
import { addSchemaTools } from "./everything/schema-tools.ts";

const server = createServer({ name: "everything", version: "1.0.0", logging: true });
addContentTools(server);
addQuestionTools(server);
addRoundTools(server);
addSchemaTools(server);
addResources(server);
addPrompts(server);
addChangingLists(server);

const service = await serveHttp(server);
console.log(service.url);

process.once("SIGTERM", () => void service.close());
