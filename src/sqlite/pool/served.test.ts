// Behind a server: what runs away keeps no other request waiting, and is stopped when its caller lets go of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk, textTool } from "../../../fixtures/gate.ts";
import { endless } from "../../../fixtures/sqlite/bombs.ts";
import {
  canSeeProcesses,
  isRunning,
  listServants,
  until,
} from "../../../fixtures/sqlite/processes.ts";
import { makeShed } from "../../../fixtures/sqlite/shed.ts";
import { openDatabase } from "../open-database.ts";

test(
  "while three calls run away, tools/list and a fourth call are answered; a cancelled call's process is killed",
  { skip: !canSeeProcesses },
  async () => {
    using shed = makeShed();
    await using database = await openDatabase({ path: shed.file });
    const tool = textTool("ask", "read", async (sql, { signal }) => {
      const query = { sql, maxRows: 1, allows: { recursion: true } };
      const { rows } = await database.read((ask) => ask(query), { signal });
      return JSON.stringify(rows);
    });
    await using desk = await openDesk([tool]);
    const ids = [1, 2, 3].map((n) =>
      desk.peer.start("tools/call", { name: "ask", arguments: { text: endless } }, `bomb ${n}`),
    );
    for (let n = 0; n < 5; n++) {
      const { result } = await desk.peer.request("tools/list");
      assert.equal(result.tools[0].name, "ask");
      const { result: answer } = await desk.peer.request("tools/call", {
        name: "ask",
        arguments: { text: "SELECT count(*) FROM t" },
      });
      assert.equal(answer.structuredContent.data.text, "[[3]]");
    }
    const readers = listServants(process.pid).filter(({ command }) => command.includes("reader"));
    for (const requestId of ids) desk.peer.notify("notifications/cancelled", { requestId });
    await until(() => readers.filter(({ pid }) => isRunning(pid)).length <= readers.length - 3);
  },
);
