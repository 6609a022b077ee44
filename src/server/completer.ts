/** How the arguments of prompts and the variables of resource templates are completed. */

/** Gives the values that begin as `value` does, best first; the other arguments filled in so far come along. */
export type Complete = (
  value: string,
  others: { readonly [name: string]: string },
) => readonly string[] | Promise<readonly string[]>;
