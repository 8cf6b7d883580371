import type { CommandSpec } from '../lib/spec.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { placesOf } from './words.ts';
import { zshCompletion } from './zsh.ts';

const shells = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

/** The completion script of a tree of commands for a shell; undefined for one that has none. */
export function completionFor(root: CommandSpec, shell: string): string | undefined {
  return shells.get(shell)?.(placesOf(root));
}
