import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib/paths.ts';

/** docs/spec-gaps.md: a choice that no test holds is a choice that nobody keeps. */

const text = readFileSync(join(projectRoot, 'docs', 'spec-gaps.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
  .slice(2);

it('the table is found', () => {
  expect(rows.length).toBeGreaterThan(30);
});

it.each(rows)('%s', (...cells) => {
  expect(cells).toHaveLength(3);
  const files = [...(cells[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  expect(files.filter((file) => file.endsWith('.test.ts'))).toHaveLength(files.length);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});
