/** Says where an invisible joiner or variation selector belongs to what is written; anywhere else it can only hide something. */

const joinerNonJoiner = 0x200c;

/** A joiner stays between two emoji, and either joiner between two letters of a script that uses it. */
export function isJoinerKept(before: string, joiner: number, after: string): boolean {
  if (joiner !== joinerNonJoiner && pictured.test(before) && pictograph.test(after)) return true;
  return joiningLetter.test(before) && joiningLetter.test(after);
}

/** A selector stays behind one character that can have both forms: at most one for each. */
export function isSelectorKept(before: string, selector: number): boolean {
  return (selector <= 0xfe0f ? emoji : ideograph).test(before);
}

const emoji = /^\p{Emoji}$/u;
const pictograph = /^\p{Extended_Pictographic}$/u;
/** An emoji, its skin tone, or the selector behind it. */
const pictured = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const ideograph = /^\p{Script=Han}$/u;
const joiningLetter =
  /^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u;
