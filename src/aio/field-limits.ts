/** How much of each text of the database is given out, in characters: stops one row from filling a model's memory. */

export const fieldLimits = {
  status: 40,
  time: 40,
  engine: 200,
  locale: 200,
  device: 200,
  location: 200,
  note: 500,
  keyword: 512,
  bucket: 100,
  title: 300,
} as const;

/** The longest name of a host; a longer one is none. */
export const hostLimit = 253;

/** A URL is never cut, for then it leads elsewhere: a longer one is not shown. */
export const urlLimit = 2048;

/** How much of a stored URL is read: its query may be long, and is taken away. */
export const rawUrlLimit = 8192;

/** Citations, and organic results, in one answer. */
export const mostEvidence = 100;
