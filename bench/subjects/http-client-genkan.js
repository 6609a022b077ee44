// Genkan's client as it is published, over HTTP.

import { connect } from "genkan";
import { driveClient, job } from "../client-loop.js";

const client = await connect({ url: job.url }, { revision: job.revision });
await driveClient({
  call: (text) => client.callTool("echo", { text }),
  close: () => client.close(),
});
