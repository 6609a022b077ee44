/** A door onto the shop: one tool that reads and one that writes. `genkan serve examples/gate/genkan.yaml` serves it. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createList, defineTool, listSchema, ToolFailure } from "genkan/gate";
import { buildShop } from "../shop/database.ts";
import { mostOrders, openShop } from "../shop/queries.ts";

const orderShape = {
  type: "object",
  properties: {
    id: { type: "integer" },
    customer: { type: "string" },
    status: { type: "string" },
    ordered_at: { type: "string" },
    total_yen: { type: "integer" },
  },
  required: ["id", "customer", "status", "ordered_at", "total_yen"],
} as const;

/** Opens the shop that `options.database` names; it is built when it is not there. */
export function openDoor(
  options: { readonly database?: string },
  { folder }: { readonly folder: string },
) {
  const path = resolve(folder, options.database ?? "shop.db");
  if (!existsSync(path)) buildShop(path);
  const shop = openShop(path);
  const database = new DatabaseSync(path);
  const cancel = database.prepare(
    "UPDATE orders SET status = 'cancelled' WHERE id = ? AND status IN ('pending', 'paid')",
  );
  const find = database.prepare("SELECT status FROM orders WHERE id = ?");

  const findOrders = defineTool({
    name: "find_orders",
    description: "Finds orders by a part of the customer's name, newest first.",
    risk: "read",
    input: {
      type: "object",
      properties: {
        customer: { type: "string", minLength: 1, maxLength: 200 },
        limit: { type: "integer", minimum: 1, maximum: mostOrders, default: 10 },
      },
      required: ["customer"],
      additionalProperties: false,
    },
    output: listSchema(orderShape, mostOrders),
    run: ({ customer, limit }) => {
      const { total, orders } = shop.findOrders(customer, limit);
      return createList(orders, { total });
    },
  });

  const cancelOrder = defineTool({
    name: "cancel_order",
    description: "Cancels an order that has not been shipped.",
    risk: "write",
    input: {
      type: "object",
      properties: { order: { type: "integer", minimum: 1, maximum: 1_000_000 } },
      required: ["order"],
      additionalProperties: false,
    },
    output: { type: "object", properties: { status: { type: "string" } }, required: ["status"] },
    steps: ["look", "cancel"],
    findOut: "find_orders, for the status of the order",
    run: async ({ order }, call) => {
      const found = await call.step("look", () => find.get(order));
      if (found === undefined)
        throw new ToolFailure("not_found", `There is no order ${order}`, { effect: "none" });
      const { changes } = await call.step("cancel", () => cancel.run(order));
      if (changes === 0)
        throw new ToolFailure(
          "refused",
          `The order ${order} is ${String(found["status"])}: it cannot be cancelled any more`,
          { effect: "none" },
        );
      return { status: "cancelled" };
    },
  });

  return {
    tools: [findOrders, cancelOrder],
    close: () => {
      database.close();
      shop[Symbol.dispose]();
    },
  };
}
