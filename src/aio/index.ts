/** The aio-probe tools: what runs saw of AI Overviews, for which keywords, over one SQLite file that nobody here can write. */

export { openAio } from "./open-aio.ts";
export type { Aio, AioOptions } from "./open-aio.ts";
export { defaultBuckets } from "./tables.ts";
