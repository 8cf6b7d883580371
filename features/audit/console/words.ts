/** `deleteNetwork` as words: "delete network". */
export function wordsOf(action: string): string {
  return action.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) => ` ${letters.toLowerCase()}`);
}
