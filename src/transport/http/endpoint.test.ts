import assert from "node:assert/strict";
import { test } from "node:test";
import { stateless } from "../../../fixtures/http-caller.ts";
import { Endpoint } from "./endpoint.ts";
import { FetchExchange } from "./fetch-exchange.ts";
import { createGuard } from "./guard.ts";
import { defaultHttpLimits } from "./limits.ts";

test("a request whose answer fails gives its place back", async () => {
  const reports: string[] = [];
  const endpoint = new Endpoint({
    application: {
      open: () => {
        throw new Error("the inner secret");
      },
      findInputSchema: () => undefined,
      report: (text) => reports.push(text),
    },
    path: undefined,
    limits: { ...defaultHttpLimits, maxInFlight: 1 },
    guard: createGuard({}),
    authenticator: undefined,
  });
  const { headers, body } = stateless("tools/list");
  for (let time = 1; time <= 3; time++) {
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const exchange = new FetchExchange(request);
    endpoint.handle(exchange);
    const answer = await exchange.response;
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /secret/);
    assert.equal(reports.length, time);
  }
  await endpoint.close();
});
