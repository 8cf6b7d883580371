import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorOf } from '../guide/pages.ts';
import { projectRoot } from '../lib/paths.ts';

/**
 * A link of a document leads to a file that exists and, after `#`, to one of its headings. CHANGELOG.md describes former
 * releases, with the documents of their time.
 */

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: projectRoot })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && file !== 'CHANGELOG.md');
const textOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const withoutCode = (text: string) => text.replace(/^```.*\n[\s\S]*?^```/gm, '').replace(/`[^`\n]+`/g, '');

/** The anchors that GitHub gives to the headings of a text. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^```.*\n[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) => anchorOf(heading));
}

/** The links of a text to files of this repository, as they are written. */
const linksIn = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

function isBroken(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(projectRoot, file))) return true;
  return anchor !== undefined && file.endsWith('.md') && !anchorsOf(textOf(file)).includes(anchor);
}

it('finds links and anchors', () => {
  expect(documents.flatMap((file) => linksIn(textOf(file))).length).toBeGreaterThan(200);
  expect(anchorsOf('## The `a` of [b](c.md), again\n```\n# no heading\n```\n')).toEqual(['the-a-of-b-again']);
  expect(isBroken('README.md', 'docs/none.md')).toBe(true);
  expect(isBroken('README.md', 'CONTRIBUTING.md#none')).toBe(true);
});

it.each(documents)('the links of %s lead to something', (file) => {
  expect(linksIn(textOf(file)).filter((link) => isBroken(file, link))).toEqual([]);
});
