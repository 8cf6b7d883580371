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

it('splits in linear time', () => {
  expect(splitWords(`${'\\"'.repeat(50_000)}"`)).toBeUndefined();
});
