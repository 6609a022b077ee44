/** Takes the values of secrets out of texts and JSON values, in whatever form they stand there. */

import { mapTexts } from "./map-texts.ts";
import { decodePercent } from "./percent-view.ts";
import { listSecretForms } from "./secret-forms.ts";
import {
  createSecretSearch,
  type Finding,
  type NamedForm,
  type SecretSearch,
} from "./secret-search.ts";
import { toSecretReference } from "./secret-reference.ts";

/** How many values of one secret are remembered: a value that was replaced still stands in older texts. */
const maxValues = 4;
/** How often percent-encoding is undone: `%2541` is an `A` encoded twice. */
const maxLayers = 3;
/** How often a text is looked at again: what is put in place of a secret can, with its neighbours, make another. */
const maxRounds = 4;

export class Redactor {
  readonly #values = new Map<string, string[]>();
  #search: SecretSearch | undefined;
  #hasNumber = false;

  /** Takes a value out of every text from now on. The value must be one that `findSecretFault` has nothing against. */
  add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    if (values.includes(value)) return;
    this.#values.set(name, [value, ...values].slice(0, maxValues));
    this.#search = undefined;
    this.#hasNumber ||= /^[\d.eE+-]+$/.test(value);
  }

  /** Puts `secret://name` in place of every value. */
  redactText(text: string): string {
    let redacted = text;
    for (let round = 0; round < maxRounds; round++) {
      const findings = this.#find(redacted);
      if (findings.length === 0) break;
      redacted = replace(redacted, findings);
    }
    return redacted;
  }

  /** Does the same in a JSON value, the names of members included; what holds none is given back as it is. */
  redactValue(value: unknown): unknown {
    return mapTexts(value, (text) => this.redactText(text), { numbers: this.#hasNumber });
  }

  /** Whether a JSON value holds a secret. */
  hasSecret(value: unknown): boolean {
    let found = false;
    mapTexts(
      value,
      (text) => {
        found ||= this.#find(text).length > 0;
        return text;
      },
      { numbers: this.#hasNumber },
    );
    return found;
  }

  #find(text: string): readonly Finding[] {
    if (this.#values.size === 0) return [];
    const search = (this.#search ??= this.#buildSearch());
    const findings = [...search.find(text)];
    let view = decodePercent(text);
    for (let layer = 0; view !== undefined && layer < maxLayers; layer++) {
      const { text: decoded, starts } = view;
      for (const { start, end, name } of search.find(decoded))
        findings.push({ start: starts[start] ?? 0, end: starts[end] ?? text.length, name });
      const inner = decodePercent(decoded);
      view = inner && {
        text: inner.text,
        starts: inner.starts.map((start) => starts[start] ?? text.length),
      };
    }
    return findings;
  }

  #buildSearch(): SecretSearch {
    const forms = new Map<string, NamedForm>();
    for (const [name, values] of this.#values)
      for (const value of values)
        for (const form of listSecretForms(value))
          if (!forms.has(form.text)) forms.set(form.text, { ...form, name });
    return createSecretSearch([...forms.values()]);
  }
}

/** Findings may overlap: then all of it goes, in the name of the one that begins first. */
function replace(text: string, findings: readonly Finding[]): string {
  let replaced = "";
  let done = 0;
  for (const { start, end, name } of findings.toSorted(compareFindings)) {
    if (end <= done) continue;
    if (start >= done) replaced += text.slice(done, start) + toSecretReference(name);
    done = end;
  }
  return replaced + text.slice(done);
}

function compareFindings(a: Finding, b: Finding): number {
  return a.start === b.start ? b.end - a.end : a.start - b.start;
}
