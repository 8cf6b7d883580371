import { createContext, Script } from 'node:vm';
import { tooMuchGrowth } from '../../core/lib/testing/growth.ts';
import { type Attack, attacksOn, textOf } from './attacks.ts';

/** How the time of a search grows with the text. */
export interface Growth {
  attack: Attack;
  /** The larger one of the factors from 10 kB to 100 kB and on to 1 MB. */
  factor: number;
}

const lengths = [10_000, 100_000, 1_000_000];
/** Long enough to tell which attacks are worth measuring, and short enough to try all of them. */
const triedLength = 2_000;
const measuredAttacks = 3;
/** What takes less is not told apart: a machine that does other things as well is busy for longer. */
const leastMs = 3;
/** A linear search takes milliseconds. One that takes longer than this is ended, and counts as endless. */
const limitMs = 1_000;
/** One that seems to be too long is measured again: something else may have kept the machine busy. */
const runs = 3;
const endlessRuns = 2;

/** How a pattern grows with the worst of the attacks on it. */
export function growthOf(regex: RegExp): Growth {
  const attacks = attacksOn(regex);
  const texts = attacks.map((attack) => textOf(attack, triedLength));
  const worst = timesOf(regex, texts)
    .map((ms, at) => ({ ms, attack: attacks[at] }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, measuredAttacks);
  let growth: Growth = { attack: { before: '', repeated: '', after: '' }, factor: 0 };
  for (const { attack } of worst) {
    const factor = attack && growth.factor <= tooMuchGrowth ? factorOf(regex, attack) : 0;
    if (attack && factor > growth.factor) growth = { attack, factor };
  }
  return growth;
}

function factorOf(regex: RegExp, attack: Attack): number {
  let largest = 0;
  let beforeMs = Number.POSITIVE_INFINITY;
  for (const length of lengths) {
    const ms = shortestMs(regex, textOf(attack, length), (beforeMs * tooMuchGrowth) / 2);
    largest = Number.isFinite(ms) ? Math.max(largest, ms / beforeMs) : Number.POSITIVE_INFINITY;
    if (largest > tooMuchGrowth) break;
    beforeMs = ms;
  }
  return largest;
}

function shortestMs(regex: RegExp, text: string, enoughMs: number): number {
  let shortest = Math.max(leastMs, ...timesOf(regex, [text]));
  for (let run = 1; shortest > enoughMs && run < (Number.isFinite(shortest) ? runs : endlessRuns); run++)
    shortest = Math.min(shortest, Math.max(leastMs, ...timesOf(regex, [text])));
  return shortest;
}

const context = createContext({ now: () => performance.now() });
const loop = new Script(
  'for (const text of texts) { const start = now(); search(text); times.push(now() - start); }',
);

/** The milliseconds in which all matches in each text are found. It ends with the first one that takes too long. */
function timesOf({ source, flags }: RegExp, texts: readonly string[]): number[] {
  const regex = new RegExp(source, [...new Set(`${flags}g`)].join(''));
  const times: number[] = [];
  Object.assign(context, { texts, times, search: (text: string) => text.replace(regex, '') });
  try {
    // Only a script with a limit can be ended in the middle of a search.
    loop.runInContext(context, { timeout: limitMs });
  } catch {
    times.push(Number.POSITIVE_INFINITY);
  }
  return times;
}
