/** Cleans whole values from outside and marks them as what they are: read by a stranger's leave, obeyed by nobody. */

import { mapTexts } from "./map-texts.ts";
import {
  addRemoved,
  nothingRemoved,
  removedNames,
  sanitiseText,
  type Removed,
  type SanitiseOptions,
} from "./sanitise.ts";

export interface SanitisedValue {
  readonly value: unknown;
  readonly removed: Removed;
}

/** Cleans every text of a JSON value, the names of its members included, and counts over all of them. */
export function sanitiseValue(value: unknown, options?: SanitiseOptions): SanitisedValue {
  let sum = nothingRemoved;
  const cleaned = mapTexts(value, (text) => {
    const { text: clean, removed } = sanitiseText(text, options);
    if (clean === text) return text;
    sum = addRemoved(sum, removed);
    return clean;
  });
  return { value: cleaned, removed: sum };
}

/** What a result says that holds words from outside: they are data, whatever they ask for. */
export const externalTrust = "untrusted_external";

/** The member of an output schema for `labelExternal`. */
export const dataTrustSchema = { const: externalTrust } as const;

/** Puts the label beside the data. */
export function labelExternal<Data extends object>(
  data: Data,
): Data & { readonly data_trust: typeof externalTrust } {
  return { ...data, data_trust: externalTrust };
}

const removedLabels = {
  controls: "control characters",
  escapes: "escape sequences",
  bidi: "marks that reorder text",
  zeroWidth: "invisible characters",
  tags: "hidden tag characters",
  surrogates: "broken characters",
  cut: "characters over the limit",
} as const satisfies Record<keyof Removed, string>;

/** Says in one sentence what was removed, for a warning; `undefined` when nothing was. */
export function describeRemoved(removed: Removed): string | undefined {
  const parts = removedNames
    .filter((name) => removed[name] > 0)
    .map((name) => `${removedLabels[name]}: ${removed[name]}`);
  return parts.length === 0 ? undefined : `Removed from outside text: ${parts.join(", ")}`;
}
