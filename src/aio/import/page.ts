/** A page of search results as every format is read into it, and the limits of what is taken from one. */

export interface ResultPage {
  readonly provider: Provider;
  readonly keyword: string;
  readonly conditions: Conditions;
  /** ISO 8601, in UTC. */
  readonly fetchedAt: string | null;
  readonly status: "ok" | "failed";
  /** Why it failed, for the operator. */
  readonly error: string | null;
  readonly overview: Overview;
  /** In the order of the page, the first at 1. */
  readonly organic: readonly Link[];
}

export type Provider = "SerpApi" | "DataForSEO";

/** What a run was made under; `null` where nobody said. */
export interface Conditions {
  readonly engine: string;
  readonly locale: string | null;
  readonly device: string;
  readonly location: string | null;
}

/** Whether there is an AI Overview. Nobody knows after a failure, or when it was announced and never fetched. */
export type Overview =
  | { readonly kind: "present"; readonly citations: readonly Link[] }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly reason: string; readonly token?: string };

export interface Link {
  readonly position: number;
  readonly url: string | null;
  readonly domain: string | null;
  readonly title: string | null;
}

/** An AI Overview that was fetched by itself, for a page that only announced it. */
export interface LateOverview {
  readonly token: string;
  readonly overview: Overview;
}

/** What a file holds, or what is wrong with it: `<what is>, expected <what should be>`. */
export type Parsed =
  | { readonly pages: readonly ResultPage[]; readonly overviews: readonly LateOverview[] }
  | { readonly fault: string };

/** Every limit of an import, and the harm it stops. */
export const importLimits = {
  /** Files at once: stops a wrong pattern from being worked on for hours. */
  files: 10_000,
  /** One file: stops a wrong file from filling the memory. */
  fileBytes: 32 * 1024 ** 2,
  /** All files together: what is read is kept until it is written, all at once. */
  allBytes: 2 * 1024 ** 3,
  /** Pages in one file. */
  pages: 1_000,
  /** Results of one kind on one page, or cited by one overview: stops one page from filling the database. */
  links: 500,
  /** A keyword, in characters: what a tool can be asked for. */
  keyword: 512,
  /** A bucket's name, in characters. */
  bucket: 100,
  /** The note of a run, in characters. */
  note: 500,
  /** A URL, in characters; a longer one is left out, for one that is cut leads elsewhere. */
  url: 2_048,
  /** A title, in characters; a longer one is cut. */
  title: 300,
  /** What a provider says of a failure, in characters; a longer text is cut. */
  error: 500,
  /** The file of buckets. */
  bucketsBytes: 16 * 1024 ** 2,
} as const;
