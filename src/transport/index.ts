/** Bytes in, messages out: lines, standard streams, an in-memory pair. */

export { ArrivalQueue } from "./arrival-queue.ts";
export { defaultMaxLineBytes, LineReader } from "./line-reader.ts";
export type { LineReaderOptions } from "./line-reader.ts";
export { LineWriter } from "./line-writer.ts";
export { createMemoryPair } from "./memory.ts";
export { openStdio } from "./stdio.ts";
export type { Stdio } from "./stdio.ts";
export { StreamTransport } from "./stream-transport.ts";
export type { StreamTransportOptions } from "./stream-transport.ts";
export type { Outlet, Transport } from "./transport.ts";
