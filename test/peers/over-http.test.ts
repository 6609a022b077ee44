// The official clients, old line and new, tour our server over HTTP in every revision they speak.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { makeGuestV1, offer } from "./guest-v1.ts";
import { makeGuestV2, openings } from "./guest-v2.ts";
import { isNotLateProgress, takeTour } from "../../fixtures/peer-tour.ts";

/** A cancelled call's stream ends without a reply, and a stream's end by `close()` is an error to the old line. */
const isTrouble = (error: Error): boolean =>
  isNotLateProgress(error) &&
  !/AbortError|aborted|terminated|SSE stream disconnected/.test(String(error));

describe("over HTTP", { concurrency: 2 }, () => {
  let child: ChildProcess;
  let url: URL;
  before(async () => {
    const file = fileURLToPath(new URL("../../fixtures/servers/honest-genkan.ts", import.meta.url));
    const started = spawn(process.execPath, [file, "500", "--http"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    for await (const line of createInterface({ input: started.stderr })) {
      url = new URL(line);
      break;
    }
    started.stderr.resume();
  });
  after(() => void child.kill("SIGKILL"));

  for (const [opening, [version, options]] of Object.entries(openings)) {
    if (version === "2024-11-05") continue; // has another transport
    test(`@modelcontextprotocol/client tours the server: ${opening}`, async (context) => {
      const transport = new StreamableHTTPClientTransport(url);
      const { client, guest, errors } = makeGuestV2(version, options);
      context.after(() => client.close());
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const isStateless = version === "2026-07-28";
      assert.equal(transport.sessionId === undefined, isStateless);
      await takeTour(guest);
      if (!isStateless) await transport.terminateSession();
      assert.deepEqual(errors.filter(isTrouble), []);
    });
  }

  for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
    test(`@modelcontextprotocol/sdk tours the server in ${version}`, async (context) => {
      const transport = new OldTransport(url);
      const send = transport.send.bind(transport);
      transport.send = (message, options) =>
        send(Array.isArray(message) ? message : offer(version, message), options);
      const { client, guest, errors } = makeGuestV1(version);
      context.after(() => client.close());
      await client.connect(transport);
      assert.equal(client.getServerVersion()?.name, "honest-genkan");
      assert.ok(transport.sessionId !== undefined);
      await takeTour(guest);
      await client.ping();
      await transport.terminateSession();
      await assert.rejects(client.ping());
      assert.deepEqual(
        errors.filter((error) => isTrouble(error) && !/-32600|404/.test(String(error))),
        [],
      );
    });
  }
});
