import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, stateless } from "../../fixtures/http-caller.ts";

const hasV6 = Object.values(networkInterfaces()).some(
  (addresses) => addresses?.some(({ address }) => address === "::1") === true,
);
const file = fileURLToPath(new URL("./server.ts", import.meta.url));

for (const [place, host] of [
  ["127.0.0.1:0", "127.0.0.1"],
  ...(hasV6 ? ([["[::1]:0", "[::1]"]] as const) : []),
] as const)
  test(
    `--http ${place} prints where the shop is, and it ends when told to`,
    { timeout: 20_000 },
    async () => {
      const child = spawn(process.execPath, [file, "--http", place], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      try {
        let url = "";
        for await (const line of createInterface({ input: child.stderr })) {
          url = line;
          if (line.startsWith("http")) break;
        }
        assert.ok(url.startsWith(`http://${host}:`), url);
        const answer = await call(url, stateless("tools/call", { name: "count_orders" }));
        assert.equal(typeof answer.json.result.structuredContent.count, "number");
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        assert.deepEqual(await ended, [0, null]);
        assert.equal(child.stdout.read(), null);
      } finally {
        child.kill("SIGKILL");
      }
    },
  );
