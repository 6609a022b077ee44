/** The aio-probe tools: what runs saw of AI Overviews, for which keywords, over one SQLite file that nobody here can write. */

export type { FileRemark } from "./import/import-file.ts";
export type { ImportOptions, ImportSummary } from "./import/import-pages.ts";
export { createSample, importPages } from "./on-demand.ts";
export { openAio } from "./open-aio.ts";
export type { Aio, AioOptions } from "./open-aio.ts";
export type { SampleOptions, SampleSummary } from "./sample/create-sample.ts";
export { defaultBuckets } from "./tables.ts";
