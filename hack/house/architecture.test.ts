import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** Documents name files of this repository, which move: every path that they write as code must exist. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
})
  .toString()
  .split('\n')
  .filter((file) => file !== '');
const textOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** Generated as a whole: what they name comes from elsewhere. */
const generated = ['docs/api.md', 'docs/behaviour.md', 'docs/behaviour-tests.md', 'docs/metrics.md'];
const documents = tracked.filter(
  (file) => /^(docs\/(decisions\/)?[^/]+|CONTRIBUTING)\.md$/.test(file) && !generated.includes(file),
);

const rooms = 'apiserver|bench|charts|cli|console|contracts|core|e2e|engines|features|hack|operator|sdk|test';
/** Paths to a file (with an extension) or to a folder (with a slash at the end). */
const isPath = (word: string) => new RegExp(`^(${rooms})/(\\S*/|\\S*\\.[a-z{},]+)?$`).test(word);

/** The words of code spans and code blocks. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const spans = [...text.replace(/^```.*\n[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)];
  const code = [...blocks, ...spans.map(([, span = '']) => span)];
  return code.flatMap((part) => part.split(/[\s"'()|,;]+(?![^{]*\})/));
}

const pathsIn = (text: string) => [...new Set(codeIn(text).filter(isPath))];

/** `*` and `<word>` stand for any name, `**` for any path, `{a,b}` for either. */
function patternOf(path: string): RegExp {
  const parts: [RegExp, string][] = [
    [/[.+?^$()[\]\\]/g, '\\$&'],
    [/\*\*/g, '\0'],
    [/\*|<[^>]+>/g, '[^/]+'],
    [/\0/g, '.+'],
    [/\{([^}]+)\}/g, '($1)'],
    [/,/g, '|'],
  ];
  const source = parts.reduce((text, [part, replacement]) => text.replace(part, replacement), path);
  return new RegExp(`^${source}${path.endsWith('/') ? '' : '$'}`);
}

const exists = (path: string) => tracked.some((file) => patternOf(path).test(file));

describe('a path that a document writes as code exists, so that a reader finds the file', () => {
  it.each(documents)('%s', (document) => {
    expect(pathsIn(textOf(document)).filter((path) => !exists(path))).toEqual([]);
  });
});

it('finds the paths that it checks', () => {
  expect(pathsIn(textOf('docs/architecture.md')).length).toBeGreaterThan(150);
  expect(documents).toEqual(expect.arrayContaining(['CONTRIBUTING.md', 'docs/decisions/0023-the-house.md']));
});

it.each([
  ['a file', 'core/lib/errors.ts', true],
  ['a folder', 'core/lib/', true],
  ['a placeholder', 'core/tokens/<standard>/steps.ts', true],
  ['a glob', 'hack/behaviour/*.yaml', true],
  ['alternatives', 'operator/network/{decide,render}/', true],
  ['a file that moved', 'core/transactions/commit.ts', false],
  ['a folder that moved', 'apiserver/rpc/', false],
  ['one of the alternatives only in name', 'core/lib/errors.{js,mjs}', false],
])('%s: %s', (_what, path, isThere) => {
  expect(pathsIn(`Text with \`${path}\` in it.`)).toEqual([path]);
  expect(pathsIn(`\`\`\`\n|  step   ${path} |\n\`\`\`\n`)).toEqual([path]);
  expect(exists(path)).toBe(isThere);
});

it('the lines of the architecture document outside tables have at most 160 columns', () => {
  const lines = textOf('docs/architecture.md').split('\n');
  expect(lines.filter((line) => line.length > 160 && !line.startsWith('| '))).toEqual([]);
});

it('the table of layers has a row for each folder of core', () => {
  const folders = tracked.flatMap((file) => /^core\/[^/]+\//.exec(file) ?? []);
  const rows = [...textOf('docs/architecture.md').matchAll(/^\| `(core\/[^/`]+\/)` \|/gm)].map(
    ([, row]) => row,
  );
  expect([...new Set(folders)].filter((folder) => !rows.includes(folder))).toEqual([]);
});
