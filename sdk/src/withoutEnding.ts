/** The text without the last characters that are all `character`. A pattern would search for their beginning at each of them. */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
