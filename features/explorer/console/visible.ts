/** Controls, and characters that change how the text around them is shown, such as its direction. */
const hidden = /[\p{Cc}\p{Cf}]/gu;
/** Those that texts have for good reasons: the last two join letters and emoji. */
const usual = new Set(['\n', '\r', '\t', '\u200c', '\u200d']);

/** A text of strangers, with what is hidden in it as codes: `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(hidden, (one) =>
    usual.has(one) ? one : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
