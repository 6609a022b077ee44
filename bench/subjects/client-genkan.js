// Genkan's client as it is published.

import { connect } from "genkan";
import { driveClient, job } from "../client-loop.js";

const { command, args, revision } = job;
const client = await connect({ command, args }, { revision });
await driveClient({
  call: (text) => client.callTool("echo", { text }),
  close: () => client.close(),
});
