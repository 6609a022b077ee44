/** Brings a keyword into the form in which two are the same that differ in writing only. */

/** Case, width and composition (NFKC), and white space tell no two keywords apart. */
export function normaliseKeyword(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}
