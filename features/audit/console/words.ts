/** `deleteNetwork` as words: "delete network". */
export function wordsOf(action: string): string {
  return action.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) => ` ${letters.toLowerCase()}`);
}

const idAtEnd = / \([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)$/;

/** What an entry is about, each once, without the ids of what has a name. */
export function objectNames(objects: readonly string[]): string[] {
  return [...new Set(objects.map((object) => object.replace(idAtEnd, '')))];
}
