/** What a server tells the person who runs it; never what it tells a peer. */

/** Takes one line of text. */
export type Reporter = (text: string) => void;

/** The default: `console.error`, which is stderr. */
export const reportToConsole: Reporter = (text) => console.error(text);
