import { allowedConsensusArgs, allowedExecutionArgs } from './allowedArgs.ts';
import { findRefused, splitWords } from './extraArgs.ts';

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

const { geth, reth } = allowedExecutionArgs;
const { lighthouse, prysm } = allowedConsensusArgs;
const refused: [reason: string, line: string, allowed: typeof geth, arg: string | undefined][] = [
  ['none', '', geth, undefined],
  ['what the client may have', '--verbosity=4 --cache 256 --txpool.globalslots=9', geth, undefined],
  ['how much it logs', '--debug-level debug --log-color', lighthouse, undefined],
  ['how much it logs, in short', '-vvv', reth, undefined],
  ['one dash', '-cache 64', geth, undefined],
  ['a switch that is off', '--txpool.nolocals=false', geth, undefined],
  ['a flag of another client', '--verbosity=4', lighthouse, '--verbosity'],
  ['a port', '--verbosity 4 --http.port=1', geth, '--http.port'],
  ['one dash', '-datadir /x', geth, '-datadir'],
  ['a folder as one word', '--datadir', geth, '--datadir'],
  ['a key', '--p2p-priv-key=x', prysm, '--p2p-priv-key'],
  ['a URL to fetch from', '--checkpoint-sync-url=x', lighthouse, '--checkpoint-sync-url'],
  ['other nodes', '--bootnodes=enode://x', geth, '--bootnodes'],
  ['the chain', '--override.prague=1', geth, '--override.prague'],
  ['a flag that no denylist would have known', '--experimental-plugin=a.so', geth, '--experimental-plugin'],
  ['other letters', '--Cache=64', geth, '--Cache'],
  ['three dashes', '---cache=64', geth, '---cache'],
  ['an address as a value', '--vmodule=http://x', geth, '--vmodule'],
  ['an address as a word', '--vmodule https://x', geth, '--vmodule'],
  ['a path as a value', '--vmodule=/etc/x', geth, '--vmodule'],
  ['a parent folder', '--vmodule=a/../b', geth, '--vmodule'],
  ['an expansion of Kubernetes', '--vmodule=$(SLIPWAY_FORK_URL)', geth, '--vmodule'],
  ['a short flag', '-d', geth, '-d'],
  ['no flag', 'attach --exec x', geth, 'attach'],
  ['a command after a value', '--cache 64 attach', geth, 'attach'],
  ['a command after a switch', '--txpool.nolocals attach', geth, 'attach'],
  ['a value of a switch', '--txpool.nolocals=x', geth, '--txpool.nolocals'],
];

it.each(refused)('extra arguments, %s: %s', (_reason, line, allowed, arg) => {
  expect(findRefused(splitWords(line) ?? [], allowed)?.arg).toBe(arg);
});

it('an argument that is refused names those that are allowed', () => {
  expect(findRefused(['--log-level'], prysm)?.reason).toMatch(/allowed: .*--p2p-max-peers.*--verbosity/);
});
