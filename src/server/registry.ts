/** A list of named things in the order they were added, that tells when it changes. */

import { UsageError } from "../protocol/index.ts";

export class Registry<Entry> {
  readonly #kind: string;
  readonly #entries = new Map<string, Entry>();
  readonly #onChange: () => void;
  #isUsed = false;

  /** @param kind what an entry is called in an error text, such as `tool` */
  constructor(kind: string, onChange: () => void) {
    this.#kind = kind;
    this.#onChange = onChange;
  }

  /** Whether there ever was an entry: a client that was told of a list may ask for it also when it has become empty. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  values(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Throws a `UsageError` for a name that is taken. */
  add(name: string, entry: Entry): void {
    if (this.#entries.has(name)) {
      const what = `Cannot add the ${this.#kind} "${name}": there is one of that name`;
      throw new UsageError("name-taken", what, {
        hint: `remove the first, or choose another name`,
      });
    }
    this.#entries.set(name, entry);
    this.#isUsed = true;
    this.#onChange();
  }

  /** Gives whether there was such an entry. */
  remove(name: string): boolean {
    const wasThere = this.#entries.delete(name);
    if (wasThere) this.#onChange();
    return wasThere;
  }
}
