const quoted = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g;
const wordAt = /\s*((?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)\s*/y;

/**
 * Splits a line into words as a POSIX shell does: at blanks, with quotes and backslashes, without any expansion.
 * Returns undefined when a quote is left open.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  for (let at = line.search(/\S|$/); at < line.length; at = wordAt.lastIndex) {
    wordAt.lastIndex = at;
    const word = wordAt.exec(line)?.[1];
    if (word === undefined) return undefined;
    words.push(unquote(word));
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(quoted, (...[, escaped, inDouble, inSingle]: (string | undefined)[]) => {
    return escaped ?? inDouble?.replace(/\\(["\\$`])/g, '$1') ?? inSingle ?? '';
  });
}
