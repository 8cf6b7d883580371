import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, placesOf } from '../../cli/completion/words.ts';
import type { CommandSpec } from '../../cli/lib/spec.ts';
import { root } from '../../cli/root.ts';
import { projectRoot } from '../lib/paths.ts';

/** Documents and help show command lines of `slipway`: each command and each option in them must exist. */

const places = new Map(placesOf(root).map((place) => [place.path, place]));

/** What follows the program where it is called: at the begin of a line or a span of code, or after what separates commands. */
const call = /(?:^|[`|&;(])\s*(?:\$ )?slipway +([a-z].*)/gm;
const end = /\s(?:[|#;]|&&|\d?>|<)|[`);]/;

function linesIn(text: string): string[] {
  const whole = text.replaceAll('\\\n', ' ');
  // A line may call it twice.
  return [...whole.matchAll(call)].flatMap(([, line = '']) => [line.split(end)[0] ?? '', ...linesIn(line)]);
}

/** What is wrong with a command line; undefined when nothing is. */
function problemOf(line: string): string | undefined {
  const words = line.trim().split(/\s+/);
  let place: Place | undefined = places.get('slipway');
  while (place && place.children.length > 0 && words.length > 0 && !words[0]?.startsWith('-')) {
    place = places.get(`${place.path} ${words.shift()}`);
  }
  if (!place) return `slipway ${line}: no such command`;
  const known = place.options.flatMap(({ names }) => names);
  const unknown = words
    .map((word) => word.split('=')[0] ?? '')
    .filter((word) => /^--?[a-z]/.test(word) && !known.includes(word));
  return unknown.length > 0 ? `slipway ${line}: no option ${unknown.join(', ')}` : undefined;
}

const problemsIn = (text: string) => linesIn(text).flatMap((line) => problemOf(line) ?? []);
const textsOf = (spec: CommandSpec): string[] => [
  ...(spec.examples ?? []),
  ...(spec.children ?? []).flatMap(textsOf),
];

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: projectRoot })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !/^(CHANGELOG\.md|docs\/decisions\/)/.test(file));

it('finds the command lines, and what is wrong in them', () => {
  const text =
    'id=$(slipway network get a --jsn) && slipway nets list\n`slipway tx list --state=failed` is one';
  expect(problemsIn(text)).toEqual([
    'slipway network get a --jsn: no option --jsn',
    'slipway nets list: no such command',
  ]);
});

it.each(documents)('%s', (file) => {
  expect(problemsIn(readFileSync(join(projectRoot, file), 'utf8'))).toEqual([]);
});

it('the examples of the help', () => {
  expect(textsOf(root).length).toBeGreaterThan(100);
  expect(problemsIn(textsOf(root).join('\n'))).toEqual([]);
});
