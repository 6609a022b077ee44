/** Frames over a reader's standard streams: four bytes of length, then as many of JSON. */

import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";

/** Stops a broken length from asking for all the memory. */
export const maxFrameBytes = 64 * 1024 ** 2;

/** Waits for the next frame; `undefined` at the end of the stream. */
export function readFrame(): unknown {
  if (!fill(4)) return undefined;
  const length = input.readUInt32LE(taken);
  if (length > maxFrameBytes) throw new RangeError(`A frame of ${length} bytes is too long`);
  if (!fill(4 + length)) return undefined;
  taken += 4 + length;
  return JSON.parse(input.toString("utf8", taken - length, taken));
}

/** What has been read: a frame comes in one piece most often, and is got by one call of the system then. */
let input = Buffer.allocUnsafe(64 * 1024);
/** Where the bytes in it begin that nobody has taken yet. */
let taken = 0;
/** Where they end. */
let filled = 0;

/** Waits until so many bytes can be taken. Gives false when the stream ends before. */
function fill(wanted: number): boolean {
  if (taken === filled) taken = filled = 0;
  if (taken + wanted > input.length) {
    const larger = Buffer.allocUnsafe(Math.max(input.length, wanted));
    filled = input.copy(larger, 0, taken, filled);
    taken = 0;
    input = larger;
  }
  while (filled - taken < wanted) {
    const count = readSync(0, input, filled, input.length - filled, null);
    if (count === 0) return false;
    filled += count;
  }
  return true;
}

export function writeFrame(value: object): void {
  const text = JSON.stringify(value);
  const frame =
    text.length * mostBytes <= output.length - 4 ? fillFrame(output, text) : encodeText(text);
  for (let done = 0; done < frame.length;) done += writeSync(1, frame, done);
}

/** For frames that fit into it, so that most take no memory of their own. */
const output = Buffer.allocUnsafeSlow(64 * 1024);
/** One UTF-16 code unit is at most three bytes of UTF-8. */
const mostBytes = 3;

function fillFrame(buffer: Buffer, text: string): Buffer {
  const length = buffer.write(text, 4);
  buffer.writeUInt32LE(length);
  return buffer.subarray(0, 4 + length);
}

export function encodeFrame(value: object): Buffer {
  return encodeText(JSON.stringify(value));
}

function encodeText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32LE(length);
  frame.write(text, 4);
  return frame;
}
