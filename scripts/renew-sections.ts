/** Puts what is made from the code into a page of documentation, between marks such as `<!-- codes -->` and `<!-- /codes -->`. */

/** Throws for a section that the page has no marks for. */
export function renewSections(page: string, sections: Readonly<Record<string, string>>): string {
  let renewed = page;
  for (const [name, section] of Object.entries(sections)) {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const from = renewed.indexOf(start);
    const to = renewed.indexOf(end, from);
    if (from === -1 || to === -1)
      throw new Error(
        `Cannot write "${name}": the page has no marks for it, expected ${start} and ${end}`,
      );
    renewed = `${renewed.slice(0, from + start.length)}\n\n${section}\n\n${renewed.slice(to)}`;
  }
  return renewed;
}
