import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hashContext, isIgnored, listContext, parseIgnore } from './context.ts';

describe('isIgnored', () => {
  const rules = parseIgnore('# comment\n*\n!dist\n!/package.json\ndist/**/*.map\n');
  it.each([
    ['a file that matches a star', 'README.md', true],
    ['a dot file', '.env', true],
    ['an exception', 'package.json', false],
    ['a file in a folder that is an exception', 'dist/deep/main.js', false],
    ['a file that a later line excludes again', 'dist/deep/main.js.map', true],
    ['a file in an ignored folder', 'node_modules/a/index.js', true],
  ])('handles %s', (_reason, path, expected) => {
    expect(isIgnored(path, rules)).toBe(expected);
  });
});

describe('a build context', () => {
  let folder: string;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-context-'));
    put('.dockerignore', 'node_modules\n*.log\n!keep.log\n');
    put('dist/main.js', 'one');
    put('node_modules/a/index.js', 'a');
    put('x.log', '');
    put('keep.log', '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lists the files that .dockerignore does not exclude', () => {
    expect(listContext(folder)).toEqual(['.dockerignore', 'dist/main.js', 'keep.log']);
  });

  it('changes its hash when the content, name or permissions of a file change', () => {
    const hashes = [hashContext(folder)];
    put('dist/main.js', 'two');
    hashes.push(hashContext(folder));
    put('dist/other.js', '');
    hashes.push(hashContext(folder));
    chmodSync(join(folder, 'dist/other.js'), 0o755);
    hashes.push(hashContext(folder));
    expect(new Set(hashes).size).toBe(4);
  });

  it('keeps its hash when only ignored files change', () => {
    const before = hashContext(folder);
    put('node_modules/a/index.js', 'b');
    expect(hashContext(folder)).toBe(before);
  });
});
