/** Serves the shop over stdio: `node examples/shop/server.ts [--db file]`, without a file on a temporary database of its own. */

import { parseArgs } from "node:util";
import { createServer, serveStdio, ToolError } from "genkan";
import { createTemporaryShop, statuses } from "./database.ts";
import { isStatus, openShop } from "./queries.ts";

const { values } = parseArgs({ options: { db: { type: "string" } } });
const temporary = values.db === undefined ? createTemporaryShop() : undefined;
const shop = openShop(values.db ?? temporary?.path ?? "");
const statusNames = statuses.map(({ status }) => status).join(", ");

const server = createServer({
  name: "shop",
  version: "1.0.0",
  instructions:
    "Answers questions about the customers and orders of a small shop. Prices are in yen.",
});

server.addTool({
  name: "count_orders",
  description: "Counts the orders, all of them or those with one status.",
  input: {
    type: "object",
    properties: {
      status: { type: "string", maxLength: 40, description: `One of: ${statusNames}` },
    },
  },
  output: {
    type: "object",
    properties: { count: { type: "integer", minimum: 0 } },
    required: ["count"],
  },
  annotations: { readOnlyHint: true },
  run: ({ status }) => {
    if (status === undefined) return { count: shop.countOrders() };
    if (!isStatus(status))
      throw new ToolError(`Unknown status "${status}", expected one of: ${statusNames}`);
    return { count: shop.countOrders(status) };
  },
});

server.addTool({
  name: "list_statuses",
  description: "Lists every status an order can have, with the number of orders that have it.",
  annotations: { readOnlyHint: true },
  run: () => shop.listStatuses(),
});

server.addTool({
  name: "find_orders",
  description: "Finds orders by a part of the customer's name, newest first.",
  input: {
    type: "object",
    properties: {
      customer: { type: "string", minLength: 1, maxLength: 200 },
      limit: { type: "integer", minimum: 1, maximum: 50, default: 10 },
    },
    required: ["customer"],
  },
  annotations: { readOnlyHint: true },
  run: ({ customer, limit }) => shop.findOrders(customer, limit),
});

server.onClose(() => {
  shop.close();
  temporary?.remove();
});

await serveStdio(server);
