/**
 * Serves the shop over stdio: `node examples/shop/server.ts [--db file]`, without a file on a temporary database of its own;
 * or over HTTP: `--http 127.0.0.1:8080`, with port 0 for any that is free.
 */

import { parseArgs } from "node:util";
import { createServer, serveHttp, serveStdio, ToolError } from "genkan";
import { createTemporaryShop, statuses } from "./database.ts";
import { isStatus, mostOrders, openShop } from "./queries.ts";

const { values } = parseArgs({ options: { db: { type: "string" }, http: { type: "string" } } });
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
      // No enum, though one would do: the tool itself refuses other words, and `genkan demo` shows how its error names the right ones.
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
      limit: { type: "integer", minimum: 1, maximum: mostOrders, default: 10 },
    },
    required: ["customer"],
  },
  annotations: { readOnlyHint: true },
  run: ({ customer, limit }) => shop.findOrders(customer, limit),
});

server.onClose(() => {
  shop[Symbol.dispose]();
  temporary?.remove();
});

if (values.http === undefined) {
  await serveStdio(server);
} else {
  const { hostname, port } = new URL(`http://${values.http}`);
  const host = hostname.replace(/^\[|\]$/g, ""); // an IPv6 address stands in brackets in a URL only
  const http = await serveHttp(server, { host, port: Number(port) });
  console.error(http.url);
  const stop = async (): Promise<void> => {
    await http.close();
    await server[Symbol.asyncDispose]();
  };
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());
}
