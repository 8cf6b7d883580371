import type { Difference } from '../../apiserver/gateway/testing/truth/differences/difference.ts';
import { differenceSections } from '../../apiserver/gateway/testing/truth/differences.ts';
import { presentText, withSection } from './section.ts';

/** The document whose tables of differences are generated; the rest of it is written by hand. */
export const lightEngineDocument = 'docs/light-engine.md';

/** docs/light-engine.md with the differences that the comparison with geth knows. Throws Error when it lacks their marks. */
export function lightEngineDocumentText(): string {
  const tables = differenceSections.map(({ title, differences }) => tableOf(title, differences));
  return withSection(presentText(lightEngineDocument), 'differences from geth', `\n${tables.join('\n')}\n`);
}

function tableOf(title: string, differences: readonly Difference[]): string {
  const head = `### ${title}\n\n| methods | what | reason |\n|---|---|---|\n`;
  return head + differences.map(row).join('');
}

function row({ methods, what, reason }: Difference): string {
  return `| ${methods.map((method) => `\`${method}\``).join(', ')} | ${what} | ${reason} |\n`;
}
