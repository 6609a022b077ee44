/** Every way in which a secret's value may stand in a text. */

/** One form of a value; base64 shares its first and last letter with what stands beside it. */
export interface SecretForm {
  readonly text: string;
  /** Whether the base64 letters beside it hold some bits of the value too. */
  readonly base64?: { readonly before: boolean; readonly after: boolean };
}

/** Lists the forms: as it is, escaped for JSON and HTML, as a form's field, in hexadecimal, in base64 at each alignment. */
export function listSecretForms(value: string): readonly SecretForm[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const plain = [
    value,
    ...splitLines(value),
    bytes.toString("latin1"), // as percent-decoded bytes are looked at
    escapeForJson(value),
    escapeForJson(escapeForJson(value)), // JSON within JSON
    escapeForJson(value).replaceAll("/", "\\/"),
    escapeAscii(escapeForJson(value)),
    ...listHtmlForms(value),
    ...listUrlForms(value),
    value.replaceAll(" ", "+"),
    bytes.toString("latin1").replaceAll(" ", "+"),
    hex,
    hex.toUpperCase(),
  ];
  const encoded = [0, 1, 2].map((offset) => encodeBase64(bytes, offset));
  const urlSafe = encoded.map((form) => ({ ...form, text: toUrlAlphabet(form.text) }));
  const forms = new Map<string, SecretForm>();
  for (const text of plain) forms.set(text, { text });
  const escaped = encoded.map((form) => ({ ...form, text: encodeURIComponent(form.text) }));
  for (const form of [...encoded, ...urlSafe, ...escaped]) forms.set(form.text, form);
  return [...forms.values()];
}

/** Shorter lines stay: stops a key's short last line, or its head, from being looked for in every text. */
const minLineLength = 16;

/** A value of several lines is often seen line by line; `-----BEGIN …-----` is no secret. */
function splitLines(value: string): readonly string[] {
  return value
    .split(/\r?\n/)
    .filter((line) => line.length >= minLineLength && !line.startsWith("-----"));
}

function escapeForJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function escapeAscii(text: string): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * What the usual encoders of URLs write. Any other mix of encoded and plain characters is found by undoing the encoding, but
 * for one whose first characters are taken for the digits of a `%` that stands before it.
 */
function listUrlForms(value: string): readonly string[] {
  const component = encodeURIComponent(value);
  const field = new URLSearchParams([["", value]]).toString().slice(1);
  return [component, encodeURIComponent(component), encodeURI(value), field];
}

/** Which quotes are escaped, and how, depends on who writes. */
function listHtmlForms(value: string): readonly string[] {
  const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const attribute = text.replaceAll('"', "&quot;");
  return [text, attribute, attribute.replaceAll("'", "&#39;"), attribute.replaceAll("'", "&#x27;")];
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}

/** Gives the letters that are the same whatever stands before and after, when the value begins `offset` bytes into a group of three. */
function encodeBase64(bytes: Buffer, offset: number): SecretForm {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return {
    text: padded.toString("base64").slice(first, end),
    base64: { before: (offset * 8) % 6 !== 0, after: (padded.length * 8) % 6 !== 0 },
  };
}
