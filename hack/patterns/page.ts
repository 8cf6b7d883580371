import { collectPatterns, type Pattern } from './collect.ts';
import { ownText, writerOf, writers } from './writers.ts';

export const patternsDocument = 'docs/patterns.md';

const introduction = `# Patterns

Every regular expression in the code that runs in an installation, in its clients and in browsers, by who writes the texts that it
searches. \`make generate\` writes this page, and a test fails if it is not up to date.

A search must take time in proportion to its text, whatever the text is: one that takes longer keeps everybody else waiting.
\`hack/patterns/patterns.test.ts\` tries each pattern with texts that are made of its own parts, and measures those that repeat
something without a bound at 10 kB, 100 kB and 1 MB. [Decision 101](decisions/0101-foreign-text.md) has the reasons.
`;

/** The list of all patterns. Throws for a file whose texts nobody is known to write. */
export function patternsPage(): string {
  const { patterns } = collectPatterns();
  const groups = Map.groupBy(patterns, ({ file }) => knownWriterOf(file));
  const sections = writers.map((who) => {
    const textOf = who === ownText ? countsText : filesText;
    return `## Text of ${who}\n\n${textOf(groups.get(who) ?? [])}`;
  });
  return [introduction, ...sections].join('\n');
}

function knownWriterOf(file: string): string {
  const who = writerOf(file);
  if (who === undefined)
    throw new Error(`${file} searches with a pattern: say in hack/patterns/writers.ts who writes the text`);
  return who;
}

function filesText(patterns: readonly Pattern[]): string {
  const files = [...Map.groupBy(patterns, ({ file }) => file)];
  return files.map(([file, own]) => `\`${file}\`\n${blockOf(own)}`).join('\n');
}

/** Whoever uses a client keeps nobody else waiting: how many there are is enough. */
function countsText(patterns: readonly Pattern[]): string {
  const files = [...Map.groupBy(patterns, ({ file }) => file)];
  const countOf = (own: readonly Pattern[]) => new Set(own.map(({ text }) => text)).size;
  return files.map(([file, own]) => `- \`${file}\`: ${countOf(own)}\n`).join('');
}

/** A block needs no escapes. */
function blockOf(patterns: readonly Pattern[]): string {
  const lines = [...new Set(patterns.map(({ text }) => text))];
  return ['```', ...lines, '```', ''].join('\n');
}
