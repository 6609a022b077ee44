// Each example runs as its own process, answers both eras, and ends when told to.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, listen, openSession, stateless } from "../../fixtures/http-caller.ts";
import { fetch as serverless } from "./serverless.ts";

const forecast = { name: "forecast", arguments: { city: "Kyoto" } };

for (const name of ["plain", "express", "fastify", "hono"]) {
  test(
    `examples/http/${name}.ts answers both eras, and ends when told to`,
    { timeout: 20_000 },
    async () => {
      const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
      const child = spawn(process.execPath, [file], { stdio: ["ignore", "ignore", "pipe"] });
      try {
        let url = "";
        for await (const line of createInterface({ input: child.stderr })) {
          url = line;
          if (line.startsWith("http")) break;
        }
        const modern = await call(url, stateless("tools/call", forecast));
        assert.equal(modern.json.result.content[0].text, "Sunny in Kyoto");

        const headers = await openSession(url);
        const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: forecast };
        assert.equal((await call(url, { headers, body })).status, 200);
        const stream = await listen(url, { method: "GET", headers });
        assert.equal(stream.headers["content-type"], "text/event-stream");
        assert.equal((await call(url, { method: "DELETE", headers })).status, 204);
        assert.equal(await stream.next(), undefined);

        const evil = await call(url, {
          ...stateless("tools/list"),
          headers: { ...stateless("tools/list").headers, host: "evil.example" },
        });
        assert.equal(evil.status, 403);
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        assert.deepEqual(await ended, [0, null]);
      } finally {
        child.kill("SIGKILL");
      }
    },
  );
}

test("examples/http/serverless.ts answers a Request by a Response", async () => {
  const { headers, body } = stateless("tools/call", forecast);
  const sent = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await serverless(new Request("http://localhost/mcp", sent));
  assert.equal(response.status, 200);
  assert.match(await response.text(), /Sunny in Kyoto/);
  const other = await serverless(new Request("http://localhost/other", sent));
  assert.equal(other.status, 404);
});
