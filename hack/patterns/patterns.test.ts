import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tooMuchGrowth } from '../../core/lib/testing/growth.ts';
import { collectPatterns, patternsIn } from './collect.ts';
import { growthOf } from './growth.ts';
import { patternsDocument } from './page.ts';
import { writerOf } from './writers.ts';

const { patterns, refused } = collectPatterns();
const list = readFileSync(join(import.meta.dirname, '../..', patternsDocument), 'utf8').split('\n');

it('every pattern in the code is a literal, which can be measured', () => {
  expect(patterns.length).toBeGreaterThan(300);
  expect(refused).toEqual([]);
});

it('every pattern is in docs/patterns.md, by who writes the text: run make generate, and see what it adds', () => {
  const missing = patterns.filter(({ text, file }) => !list.includes(text) || writerOf(file) === undefined);
  expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

it('every pattern takes time in proportion to the text, from 10 kB to 1 MB: rewrite it, or search without a pattern', () => {
  const byText = new Map(patterns.map((pattern) => [pattern.text, pattern]));
  const slow = [...byText.values()].flatMap(({ file, text, regex }) => {
    const { factor, attack } = growthOf(regex);
    return factor < tooMuchGrowth ? [] : [`${file}: ${text} is too slow with ${JSON.stringify(attack)}`];
  });
  expect(slow).toEqual([]);
});

/** Patterns that were in this code. Each kept a process busy for seconds with a text of 40 kB, the last one for ever. */
it.each([
  ['a search for the beginning of a URL', /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"]+@/gi],
  ['groups of digits, by a look ahead', /\B(?=(\d{3})+(?!\d))/g],
  ['blanks that may be a part of what follows', /^([^=\s]+)\s*=\s*(.*)$/],
  ['texts in quotes that need not end', /"(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*'/gs],
  ['two ways to match a segment', /^(\/([a-z0-9-]+|v\d+[a-z]*\d*|\{\w+\}|[a-z0-9-]+\.[a-z]+))+$/],
])('a pattern that is too slow is found: %s', (_what, regex) => {
  expect(growthOf(regex).factor).toBeGreaterThan(tooMuchGrowth);
});

it.each([
  ['no pattern', "const a = 'b' / c;", [], 0],
  ['a literal', 'text.replace(/a+$/, "");', ['/a+$/'], 0],
  ['a literal in JSX', 'const a = <b>{/c/g.test(d)}</b>;', ['/c/g'], 0],
  ['a format of zod', 'const a = z.email().max(9);', ['z.email()'], 0],
  ['a format of zod that is not known', 'const a = z.uuid();', [], 1],
  ['a pattern that is put together', "const a = new RegExp('^' + b);", [], 1],
  ['the same without new', "const a = RegExp('^b');", [], 1],
  ['a text that becomes a pattern', "const a = text.match('b+');", [], 1],
])('%s in the code is found', (_what, text, texts, count) => {
  const found = patternsIn('core/a.tsx', text);
  expect(found.patterns.map((pattern) => pattern.text)).toEqual(texts);
  expect(found.refused).toHaveLength(count);
});
