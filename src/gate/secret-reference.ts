/** The name of a secret as it stands in configurations, arguments and traces: `secret://shop-password`. */

const scheme = "secret://";
const secretName = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** Whether a secret may have this name: 1 to 64 of `a-z 0-9 _ . -`, beginning with a letter or a digit. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

export function toSecretReference(name: string): string {
  return scheme + name;
}

/** Gives the name in `secret://name`, or `undefined` for any other text. */
export function parseSecretReference(text: string): string | undefined {
  if (!text.startsWith(scheme)) return undefined;
  const name = text.slice(scheme.length);
  return isSecretName(name) ? name : undefined;
}
