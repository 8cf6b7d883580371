/** What a terminal would carry out instead of showing it: control characters, and what turns the direction of text around. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;
/** The same, but for line ends and tabs. */
const controlInLines = /[\p{Bidi_Control}\u2028\u2029]+|[^\P{Cc}\n\t]+/gu;

/** A text of one line that anybody may have written, as a terminal shows it. */
export function printable(text: string): string {
  return text.replace(control, ' ');
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(controlInLines, ' ');
}

/** JSON as a terminal shows it: what is not printable is escaped, so that programs read the same value. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  // The ends of lines are those of the indentation: those in texts are escaped.
  return text.replace(controlInLines, (found) => [...found].map(escaped).join(''));
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
