/** The operator's rules of conduct: what may not be done through any tool, whoever grants it. */

export interface Conduct {
  /** Tools that are refused. */
  readonly deniedTools?: readonly string[];
  /** The only origins a tool may act on, such as `https://shop.example`; default: any. */
  readonly origins?: readonly string[];
  /** A tighter bound than the tool's own for a number, or for the length of a text or a list: `{ "send.count": 5 }`. */
  readonly maxima?: Readonly<Record<string, number>>;
  /** The hours of the day, by this machine's clock, in which writes are made: `{ from: 8, to: 18 }`; default: any. */
  readonly writeHours?: { readonly from: number; readonly to: number };
}
