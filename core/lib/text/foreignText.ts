/**
 * How many characters of a text from outside are kept: what a node, a compiler, an upstream or a user wrote, and what a library
 * says about it. A longer one is cut before anything searches it, so its author decides neither how long that takes nor how
 * much is stored. Messages of compilers, which quote a line of the source, and of kube-apiserver are shorter.
 */
export const maxForeignText = 4096;

/** Where a text was cut. What follows was not looked at: redact takes an unfinished secret before it for a secret. */
export const cutMark = '…';

/** The text with at most `limit` characters, of which the last is the mark if it was cut. No character is cut in two. */
export function cut(text: string, limit = maxForeignText): string {
  if (text.length <= limit) return text;
  const end = limit - cutMark.length;
  const isInPair = isFirstOfPair(text.charCodeAt(end - 1));
  return `${text.slice(0, isInPair ? end - 1 : end)}${cutMark}`;
}

/** UTF-16 writes a character outside the basic plane as two units. */
function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
