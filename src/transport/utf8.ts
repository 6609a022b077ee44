/** Finds where a line stops being UTF-8; runs only on lines that `isUtf8` has refused. */

/**
 * Gives the offset at which the first sequence begins that is not UTF-8, or -1: in Latin-1's "café" the byte of é, not the
 * one after it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3629#section-4
 */
export function findInvalidUtf8(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLengthAt(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Gives the length of the valid sequence at `at`, or 0 when there is none. */
function sequenceLengthAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const form = forms.find(({ from, to }) => lead >= from && lead <= to);
  if (form === undefined) return 0;
  const second = bytes[at + 1] ?? 0;
  if (second < form.secondFrom || second > form.secondTo) return 0;
  for (let offset = 2; offset < form.length; offset++) {
    if (((bytes[at + offset] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return form.length;
}

/** The rows of RFC 3629's table of well-formed sequences: overlong forms and surrogates have none. */
const forms = [
  { from: 0xc2, to: 0xdf, secondFrom: 0x80, secondTo: 0xbf, length: 2 },
  { from: 0xe0, to: 0xe0, secondFrom: 0xa0, secondTo: 0xbf, length: 3 },
  { from: 0xe1, to: 0xec, secondFrom: 0x80, secondTo: 0xbf, length: 3 },
  { from: 0xed, to: 0xed, secondFrom: 0x80, secondTo: 0x9f, length: 3 },
  { from: 0xee, to: 0xef, secondFrom: 0x80, secondTo: 0xbf, length: 3 },
  { from: 0xf0, to: 0xf0, secondFrom: 0x90, secondTo: 0xbf, length: 4 },
  { from: 0xf1, to: 0xf3, secondFrom: 0x80, secondTo: 0xbf, length: 4 },
  { from: 0xf4, to: 0xf4, secondFrom: 0x80, secondTo: 0x8f, length: 4 },
];
