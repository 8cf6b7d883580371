import { findReserved, splitWords } from './extraArgs.ts';

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

const reserved: [reason: string, line: string, flag: string | undefined][] = [
  ['none', '', undefined],
  ['harmless flags', '--verbosity=4 --cache 256 --txpool.globalslots=9', undefined],
  ['a port', '--verbosity 4 --http.port=1', '--http.port'],
  ['one dash', '-datadir /x', '-datadir'],
  ['upper case in words', '--JsonRpc.EnginePort=1', '--JsonRpc.EnginePort'],
  ['a folder', '--data-dir=x', '--data-dir'],
  ['a folder as one word', '--datadir', '--datadir'],
  ['a key', '--p2p-priv-key=x', '--p2p-priv-key'],
  ['a secret', '--jwt-secret x', '--jwt-secret'],
  ['a URL to fetch from', '--checkpoint-sync-url=x', '--checkpoint-sync-url'],
  ['other nodes', '--bootnodes=enode://x', '--bootnodes'],
  ['the chain', '--override.prague=1', '--override.prague'],
  ['an address as a value', '--label=http://x', '--label'],
  ['an address as a word', '--label https://x', 'https://x'],
  ['a path as a value', '--label=/etc/x', '--label'],
  ['a parent folder', '--label=a/../b', '--label'],
  ['an expansion of Kubernetes', '--label=$(SLIPWAY_FORK_URL)', '--label'],
  ['a short flag', '-d', '-d'],
  ['no flag', 'attach --exec x', 'attach'],
];

it.each(reserved)('extra arguments, %s: %s', (_reason, line, flag) => {
  expect(findReserved(splitWords(line) ?? [])?.flag).toBe(flag);
});
