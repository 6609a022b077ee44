/** Two ends of one pipe inside a process: bytes really are encoded and read, only the process between is missing. */

import { PassThrough } from "node:stream";
import type { LineReaderOptions } from "./line-reader.ts";
import { StreamTransport } from "./stream-transport.ts";
import type { Transport } from "./transport.ts";

/** Makes a connected pair; what one end sends arrives at the other. */
export function createMemoryPair(options: LineReaderOptions = {}): readonly [Transport, Transport] {
  const forth = new PassThrough();
  const back = new PassThrough();
  return [
    new StreamTransport({ input: back, output: forth, ...options }),
    new StreamTransport({ input: forth, output: back, ...options }),
  ];
}
