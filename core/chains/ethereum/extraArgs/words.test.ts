import { growthOf, tooMuchGrowth } from '../../../lib/testing/growth.ts';
import { splitWords } from './words.ts';

const lines: [reason: string, line: string, words: string[] | undefined][] = [
  ['nothing', '  ', []],
  ['words', ' --a  b\t--c=d ', ['--a', 'b', '--c=d']],
  ['single quotes keep everything', `--a='x "y" \\z'`, ['--a=x "y" \\z']],
  ['double quotes keep blanks', '--a="x y" "it\'s"', ['--a=x y', "it's"]],
  ['a backslash escapes the next character', 'a\\ b "c\\"d" "e\\f"', ['a b', 'c"d', 'e\\f']],
  ['an empty word', `'' ""`, ['', '']],
  ['pieces of one word', `--a'b'"c"d`, ['--abcd']],
  ['nothing is expanded', '$HOME `id` *', ['$HOME', '`id`', '*']],
  ['an open quote', `--a 'b`, undefined],
  ['an open double quote', 'a" b', undefined],
  ['a backslash at the end', 'a \\', undefined],
];

it.each(lines)('splits as a shell does: %s', (_reason, line, words) => {
  expect(splitWords(line)).toEqual(words);
});

it.each([
  ['an open quote', (length: number) => `${'\\"'.repeat(length / 2)}"`],
  ['an open quote that is long', (length: number) => `"${'a\\"'.repeat(length / 3)}`],
  ['many words', (length: number) => 'a '.repeat(length / 2)],
  ['many blanks', (length: number) => `${' '.repeat(length)}'`],
])('splits in linear time: %s', (_what, lineOf) => {
  const growth = growthOf((length) => {
    const line = lineOf(length);
    return () => splitWords(line);
  });
  expect(growth).toBeLessThan(tooMuchGrowth);
});
