import { createContext, Script } from 'node:vm';
import { factorOf, tooMuchGrowth } from '../../core/lib/testing/growth.ts';
import { type Attack, attacksOn, hasLoop, textOf } from './attacks.ts';

/** How the time of a search grows with the text. */
export interface Growth {
  attack: Attack;
  /** The larger one of the factors from 10 kB to 100 kB and on to 1 MB. */
  factor: number;
}

/** Long enough to tell which attacks are worth measuring, and short enough to try all of them. */
const triedLength = 2_000;
const triedAtOnce = 500;
/** Those that took longest are tried again: something else may have kept the machine busy. */
const triedTwice = 50;
const measuredAttacks = 3;
/** A pattern without a loop takes at most as long at each character, which is short if this is. */
const shortMs = 1;
/** A linear search takes milliseconds. One that takes longer than this is ended, and counts as endless. */
const limitMs = 1_000;

interface Tried {
  attack: Attack;
  ms: number;
}

/** How a pattern grows with the worst of the attacks on it. */
export function worstGrowthOf(regex: RegExp): Growth {
  const { tried, endless } = tryAll(regex, attacksOn(regex));
  if (endless) return endless;
  const isShort = ({ ms }: Tried) => ms < shortMs && !hasLoop(regex);
  const worst = slowest(regex, tried).filter((one) => !isShort(one));
  let growth: Growth = { attack: { before: '', repeated: '', after: '' }, factor: 0 };
  for (const { attack } of worst) {
    const factor = growth.factor > tooMuchGrowth ? 0 : growthWith(regex, attack);
    if (factor > growth.factor) growth = { attack, factor };
  }
  return growth;
}

/** The times of all attacks; or of some, and the growth with one whose search had to be ended, also when it was tried again. */
function tryAll(regex: RegExp, attacks: readonly Attack[]): { tried: Tried[]; endless?: Growth } {
  const tried: Tried[] = [];
  while (tried.length < attacks.length) {
    const some = timed(regex, attacks.slice(tried.length, tried.length + triedAtOnce));
    const last = some.at(-1);
    if (!last) throw new Error(`the attacks on ${regex} were not tried`);
    tried.push(...some);
    if (Number.isFinite(last.ms)) continue;
    const factor = growthWith(regex, last.attack);
    if (factor > tooMuchGrowth) return { tried, endless: { attack: last.attack, factor } };
  }
  return { tried };
}

/** The attacks that take longest, each time. */
function slowest(regex: RegExp, tried: readonly Tried[]): Tried[] {
  const bySlowness = (one: Tried, other: Tried) => other.ms - one.ms;
  const once = tried.toSorted(bySlowness).slice(0, triedTwice);
  const times = timesOf(
    regex,
    once.map(({ attack }) => textOf(attack, triedLength)),
  );
  const again = once.map(({ attack, ms }, at) => ({ attack, ms: Math.min(ms, times[at] ?? ms) }));
  return again.sort(bySlowness).slice(0, measuredAttacks);
}

const growthWith = (regex: RegExp, attack: Attack) =>
  factorOf((length, ms) => timesOf(regex, [textOf(attack, length)], Math.min(ms, limitMs))[0] ?? limitMs);

function timed(regex: RegExp, attacks: readonly Attack[]): Tried[] {
  const texts = attacks.map((attack) => textOf(attack, triedLength));
  return timesOf(regex, texts).flatMap((ms, at) =>
    attacks.slice(at, at + 1).map((attack) => ({ attack, ms })),
  );
}

const context = createContext({ now: () => performance.now() });
const loop = new Script(
  'for (const text of texts) { const start = now(); search(text); times.push(now() - start); }',
);

/** The milliseconds in which all matches in each text are found. Ends with the one after which all took too long together. */
function timesOf({ source, flags }: RegExp, texts: readonly string[], timeout = limitMs): number[] {
  const regex = new RegExp(source, [...new Set(`${flags}g`)].join(''));
  const times: number[] = [];
  Object.assign(context, { texts, times, search: (text: string) => text.replace(regex, '') });
  try {
    // Only a script with a limit can be ended in the middle of a search.
    loop.runInContext(context, { timeout: Math.ceil(timeout) });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    times.push(Number.POSITIVE_INFINITY);
  }
  return times;
}

/** The error is of no class of this realm. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
