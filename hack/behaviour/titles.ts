/**
 * Whether the source of a test file has `title` as the title of a test, of a `describe`, or of a row of a table of
 * tests. Titles are compared literally; a quote within one may be written and escaped in any way.
 */
export function hasTitle(source: string, title: string): boolean {
  const body = title
    .split(/['"]/)
    .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\\\?[^\\w\\s]');
  return new RegExp(`[([{,]\\s*(['"\`])${body}\\1\\s*,`).test(source);
}
