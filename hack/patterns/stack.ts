import { attacksOn, textOf } from './attacks.ts';

const triedLength = 2_000;

/** Whether a pattern needs more than the stack for a text of a length of which it matches as much as possible. */
export function overflowsAt(regex: RegExp, length: number): boolean {
  const matched = (text: string) => new RegExp(regex).exec(text)?.[0].length ?? 0;
  const [longest] = attacksOn(regex)
    .filter(({ after }) => after === '')
    .map((attack) => ({ attack, size: matched(textOf(attack, triedLength)) }))
    .sort((one, other) => other.size - one.size);
  try {
    if (longest) matched(textOf(longest.attack, length));
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}
