/** What is to be measured is not here and cannot be had: nobody's failure, and said as such. */

export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** A few words that stand where the figure would. */
  readonly what: string;

  constructor(what: string, reason: string) {
    super(`${what}: ${reason}`);
    this.what = what;
  }
}
