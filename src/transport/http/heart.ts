/** One timer for everything that needs a regular look, running only while there is something to look after. */

export interface Beating {
  /** Called once in every interval. */
  beat(): void;
}

export class Heart {
  readonly #intervalMs: number;
  readonly #members = new Set<Beating>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(member: Beating): void {
    this.#members.add(member);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#beat(), this.#intervalMs);
    this.#timer.unref();
  }

  delete(member: Beating): void {
    this.#members.delete(member);
  }

  /** Stops the timer, until something is added again. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    if (this.#members.size === 0) return this.stop();
    for (const member of this.#members) member.beat();
  }
}
