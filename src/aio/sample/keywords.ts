/** The keywords of the sample: as many as are wanted, no two the same, each in a bucket that may change once. */

import { english, japanese, type Bucket, type Language } from "./words.ts";

export interface SampleKeyword {
  readonly id: number;
  readonly text: string;
  readonly language: Language;
  /** What somebody wants who types it, whatever bucket it is put into. */
  readonly intent: Bucket;
  /** The bucket in earlier runs; `null`: none yet. */
  readonly before: string | null;
  /** The bucket now. */
  readonly now: string | null;
}

export function createKeywords(count: number): readonly SampleKeyword[] {
  const used = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const intent = intents[index % intents.length] ?? "informational";
    const language = Math.floor(index / intents.length) % 4 === 3 ? japanese : english;
    const family = `${intent} ${language === japanese ? "ja" : "en"}`;
    const place = used.get(family) ?? 0;
    used.set(family, place + 1);
    return {
      id: index + 1,
      text: createText(language, intent, place),
      language,
      intent,
      before: chooseBefore(index, intent),
      now: index % 41 === 40 ? null : intent,
    };
  });
}

/** How often each bucket comes in ten keywords: buckets of different sizes, as they are in life. */
const intents: readonly Bucket[] = [
  "informational",
  "commercial",
  "transactional",
  "informational",
  "commercial",
  "navigational",
  "informational",
  "transactional",
  "commercial",
  "informational",
];

/** Some keywords were taken for something else at first, and some had not been looked at. */
function chooseBefore(index: number, intent: Bucket): string | null {
  if (index % 41 === 40 || index % 29 === 28) return null;
  if (index % 17 !== 16) return intent;
  return intent === "informational" ? "commercial" : "informational";
}

/** Counts through things, patterns and qualifiers, then through model numbers. */
function createText(language: Language, intent: Bucket, place: number): string {
  const names = intent === "navigational" ? language.shops : language.things;
  const patterns = language.patterns[intent];
  const { qualifiers } = language;
  let rest = place;
  const next = (list: readonly string[]): string => {
    const word = list[rest % list.length] ?? "";
    rest = Math.floor(rest / list.length);
    return word;
  };
  const name = next(names);
  const pattern = next(patterns);
  const qualifier = next(qualifiers);
  const model = rest === 0 ? name : `${name} ${rest + 1}`;
  return `${pattern.replace("{}", model)} ${qualifier}`.trimEnd();
}
