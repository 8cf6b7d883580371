import { tooMuchGrowth } from '../../core/lib/testing/growth.ts';
import { collectPatterns, patternsIn } from './collect.ts';
import { worstGrowthOf } from './growth.ts';

const { patterns, refused } = collectPatterns();

it('every pattern in the code is a literal, which can be measured', () => {
  expect(patterns.length).toBeGreaterThan(300);
  expect(refused).toEqual([]);
});

it('every pattern takes time in proportion to the text, from 10 kB to 1 MB: rewrite it, or search without a pattern', () => {
  const byText = new Map(patterns.map((pattern) => [pattern.text, pattern]));
  const slow = [...byText.values()].flatMap(({ file, text, regex }) => {
    const { factor, attack } = worstGrowthOf(regex);
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
  expect(worstGrowthOf(regex).factor).toBeGreaterThan(tooMuchGrowth);
});

it.each([
  ['no pattern', "const a = 'b' / c;", [], 0],
  ['a literal', 'text.replace(/a+$/, "");', ['/a+$/'], 0],
  ['a literal in JSX', 'const a = <b>{/c/g.test(d)}</b>;', ['/c/g'], 0],
  ['a format of zod', 'const a = z.email().max(9);', ['z.email()'], 0],
  ['a format of zod with a message', "const a = z.email('use an address');", ['z.email()'], 0],
  [
    'a format of zod with options',
    'const a = z.iso.datetime({ offset: true });',
    ['z.iso.datetime({ offset: true })'],
    0,
  ],
  ['a format of zod that is not known', 'const a = z.uuid();', [], 1],
  ['a format of zod with other options', 'const a = z.email({ pattern: b });', [], 1],
  ['a format of zod as a method', 'const a = z.string().max(9).email();', [], 1],
  ['a pattern of zod', 'const a = z.regexes.uuid(4);', [], 1],
  ['a pattern that is put together', "const a = new RegExp('^' + b);", [], 1],
  ['the same without new', "const a = RegExp('^b');", [], 1],
  ['the same of the global object', "const a = new globalThis.RegExp('^b');", [], 1],
  ['the same by another name', 'const R = RegExp;', [], 1],
  ['the type of patterns', 'const a = (b: RegExp): RegExp => b;', [], 0],
  ['a text that becomes a pattern', "const a = text.match('b+');", [], 1],
  ['a text that may become one', 'const a = text.search(b);', [], 1],
  ['a constant that is a pattern', 'const b = /c/; const a = text.search(b);', ['/c/'], 0],
])('%s in the code is found', (_what, text, texts, count) => {
  const found = patternsIn('core/a.tsx', text);
  expect(found.patterns.map((pattern) => pattern.text)).toEqual(texts);
  expect(found.refused).toHaveLength(count);
});
