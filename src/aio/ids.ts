/** Ids of the database as a caller sees them: numbers, and decimal texts where a number of JSON is not exact. */

export const idSchema = { type: ["integer", "string"] } as const;
export const idOrNullSchema = { type: ["integer", "string", "null"] } as const;

/** The schema of an argument: it takes what a result gives. */
export const idInput = {
  type: ["integer", "string"],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  maxLength: 20,
  pattern: "^-?[0-9]{1,19}$",
} as const;

export function showId(id: bigint): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : String(id);
}

export const mostInteger = 2n ** 63n - 1n;
export const leastInteger = -(2n ** 63n);

/** Gives `undefined` for what no id of SQLite can be. */
export function parseId(argument: number | string): bigint | undefined {
  const id = BigInt(argument);
  return id < leastInteger || id > mostInteger ? undefined : id;
}
