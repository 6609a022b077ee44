/** The smallest picture and the smallest sound there are. */

import type { ContentBlock } from "../../../src/index.ts";

/** One transparent pixel. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** A header, and no samples after it. */
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

export const image = { type: "image", data: png, mimeType: "image/png" } as const;

export const audio = { type: "audio", data: wav, mimeType: "audio/wav" } as const;

export function text(content: string): ContentBlock & { readonly type: "text" } {
  return { type: "text", text: content };
}
