// Nothing is kept between two stateless requests: three processes behind a plain TCP balancer answer one client.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, stateless } from "../../fixtures/http-caller.ts";

const file = fileURLToPath(new URL("../../fixtures/servers/http-subject.ts", import.meta.url));

test("three processes behind a balancer answer one client", { timeout: 20_000 }, async () => {
  const children: ChildProcess[] = [];
  const ports: number[] = [];
  try {
    for (let n = 0; n < 3; n++) {
      const child = spawn(process.execPath, [file], {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, STATE_SECRET: "the same in all of them" },
      });
      children.push(child);
    }
    for (const { stderr } of children) {
      assert.ok(stderr !== null);
      for await (const line of createInterface({ input: stderr })) {
        ports.push(Number(new URL(line).port));
        break;
      }
    }
    let turn = 0;
    const used = new Map<number, number>();
    const balancer = createServer((socket) => {
      const port = ports[turn++ % ports.length] ?? 0;
      used.set(port, (used.get(port) ?? 0) + 1);
      const behind = connect(port, "127.0.0.1");
      socket.pipe(behind).pipe(socket);
      for (const end of [socket, behind]) end.on("error", () => {}); // either end may go first
    });
    balancer.listen(0, "127.0.0.1");
    await once(balancer, "listening");
    const address = balancer.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${port}/mcp`;

    const capabilities = { elicitation: {} };
    for (let round = 0; round < 6; round++) {
      assert.equal((await call(url, stateless("server/discover"))).status, 200);
      assert.equal((await call(url, stateless("tools/list"))).status, 200);
      const asked = await call(url, stateless("tools/call", { name: "ask" }, { capabilities }));
      const { inputRequests, requestState } = asked.json.result;
      const [key = ""] = Object.keys(inputRequests);
      const inputResponses = { [key]: { action: "accept", content: { name: `${round}` } } };
      const answered = await call(
        url,
        stateless("tools/call", { name: "ask", requestState, inputResponses }, { capabilities }),
      );
      assert.equal(answered.json.result.content[0].text, `accept ${round}`);
    }
    assert.deepEqual([...used.values()], [8, 8, 8]);
    await new Promise((resolve) => balancer.close(resolve));
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
});
