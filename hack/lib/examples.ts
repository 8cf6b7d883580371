import { join } from 'node:path';
import { blocksOf, type CodeBlock } from './codeBlocks.ts';

/** The plugins whose page in docs/plugins has an example. */
export const pagesOfPlugins = ['chainlink', 'dfns', 'graph', 'uniswap', 'vrf'] as const;
type Page = (typeof pagesOfPlugins)[number];

const endOfFile = 'END_OF_FILE';

/** The example of a plugin's page as one bash script, with the commands that all examples share. */
export function exampleOf(page: Page): string {
  return [join('docs', 'plugins.md'), join('docs', 'plugins', `${page}.md`)]
    .flatMap(blocksOf)
    .flatMap(partOf)
    .join('\n');
}

/** A block with a second word behind its language: `bash five-minutes` runs, and other names are files. */
function partOf({ language, words: [name], text }: CodeBlock): string[] {
  if (name === undefined) return [];
  return [language === 'bash' ? text : `cat > ${name} <<'${endOfFile}'\n${text}${endOfFile}\n`];
}
