import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** The plugins whose page in docs/plugins has an example. */
export const pagesOfPlugins = ['chainlink', 'dfns', 'graph', 'uniswap', 'vrf'] as const;
type Page = (typeof pagesOfPlugins)[number];

/** A code block with a second word behind its language: `bash five-minutes` runs, and other names are files. */
const blockPattern = /^```(\S+) (\S+)\n([\s\S]*?)^```$/gm;
const endOfFile = 'END_OF_FILE';

/** The example of a plugin's page as one bash script, with the commands that all examples share. */
export function exampleOf(page: Page): string {
  return [join('docs', 'plugins.md'), join('docs', 'plugins', `${page}.md`)]
    .flatMap((file) => blocksOf(readFileSync(join(projectRoot, file), 'utf8')))
    .join('\n');
}

function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(blockPattern)].map(([, language, name = '', text = '']) =>
    language === 'bash' ? text : `cat > ${name} <<'${endOfFile}'\n${text}${endOfFile}\n`,
  );
}
