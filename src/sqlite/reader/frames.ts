/** Frames over a reader's standard streams: four bytes of length, then as many of JSON. */

import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";

/** Stops a broken length from asking for all the memory. */
export const maxFrameBytes = 64 * 1024 ** 2;

/** Waits for the next frame; `undefined` at the end of the stream. */
export function readFrame(): unknown {
  const head = readExactly(4);
  if (head === undefined) return undefined;
  const length = head.readUInt32LE();
  if (length > maxFrameBytes) throw new RangeError(`A frame of ${length} bytes is too long`);
  const body = readExactly(length);
  return body === undefined ? undefined : JSON.parse(body.toString());
}

export function writeFrame(value: object): void {
  const frame = encodeFrame(value);
  for (let done = 0; done < frame.length;) done += writeSync(1, frame, done);
}

export function encodeFrame(value: object): Buffer {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32LE(length);
  frame.write(text, 4);
  return frame;
}

function readExactly(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const count = readSync(0, bytes, done, length - done, null);
    if (count === 0) return undefined;
    done += count;
  }
  return bytes;
}
