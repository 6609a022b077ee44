// Drives a client: calls in a closed loop, each reply checked, one line of JSON with the calls per second at the end.
// Started with one argument, the job: {command, args, revision, flights, warmMs, runMs}; over HTTP {url, …} instead of a command.

import { setTimeout as sleep } from "node:timers/promises";

export const job = JSON.parse(process.argv[2]);
const text = "abcdefghijklmnopqrstuvwxyz012345";

/** Measures `call(text)`, which gives the result of the tool `echo`, at each number of calls in flight. */
export async function driveClient({ call, close }) {
  const rates = [];
  for (const flight of job.flights) rates.push(await measure(call, flight));
  process.stdout.write(`${JSON.stringify({ rates })}\n`);
  await close();
}

async function measure(call, flight) {
  const run = { isOver: false, done: 0 };
  const lane = async () => {
    while (!run.isOver) {
      const { content } = await call(text);
      if (content[0].text !== text) throw new Error(`Wrong echo: ${JSON.stringify(content)}`);
      run.done += 1;
    }
  };
  const lanes = Promise.all(Array.from({ length: flight }, lane));
  await Promise.race([lanes, sleep(job.warmMs)]);
  const doneBefore = run.done;
  const startedAt = performance.now();
  await Promise.race([lanes, sleep(job.runMs)]);
  const rate = ((run.done - doneBefore) / (performance.now() - startedAt)) * 1000;
  run.isOver = true;
  await lanes;
  return rate;
}
