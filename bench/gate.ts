import { join } from 'node:path';
import { stopBuilder } from '../hack/builder/service.ts';
import { UserError } from '../hack/lib/run.ts';
import { measurePart, type Part, parts } from './gate/measure.ts';
import { compare, type Row, rowsOf } from './gate/rows.ts';
import { commitOf, readStored, type Stored, short } from './gate/stored.ts';
import { betterOf, failuresOf, type Reading, readingOf } from './gate/verdict.ts';
import { factsNow } from './lib/facts.ts';
import { writeReport } from './lib/report.ts';
import type { Goal } from './performance/goals.ts';

/**
 * `make gate`: whether this commit is slower than another one. Compares the ratios to the raw peers with those in
 * bench/results/gate.json of the commit `BASE` (the one before), or in a file: `node bench/gate.ts BASE`. What looks worse
 * is measured again, and the better result counts. Ends with 1 if something is worse or cannot be compared. `--write` stores
 * the ratios of this commit, from `RUNS` runs (3). Needs an installation of this commit, without a rate limit
 * (`VALUES=bench/values.yaml make up`), and nginx. `ONLY=submit,lists` measures only these.
 */
const runs = Number(process.env.RUNS ?? 3);
const root = join(import.meta.dirname, '..');
const only = process.env.ONLY?.split(',');
// The benchmarks have a variable of this name, too.
delete process.env.ONLY;
const isWanted = (bench: string): boolean => only?.includes(bench) ?? true;
const wanted = parts.filter(({ bench }) => isWanted(bench));

/** Throws UserError when the ratios are those of another machine: they depend on the processor. */
function checkMachine({ facts }: Stored, base: string): void {
  const [there, here] = [facts, factsNow()].map(({ cores, cpu }) => `${cores} cores (${cpu})`);
  if (there === here) return;
  throw new UserError(
    `The ratios of ${base} are those of ${there}, and this machine has ${here}. Measure both commits on one machine.`,
  );
}

/** The ratios of a part; those of a second run where they are better, if something looks worse or is not a number. */
function measure(part: Part, before: Stored): Goal[] {
  const first = measurePart(part);
  const mustRepeat = (goal: Goal) => ['worse', 'not a number'].includes(compare(goal, before.rows).verdict);
  if (!first.some(mustRepeat)) return first;
  const second = measurePart(part);
  return first.map((goal) => {
    const again = second.find(({ work }) => work === goal.work);
    return again ? { ...goal, value: betterOf(goal, goal.value, again.value) } : goal;
  });
}

const cellsOf = ({ work, reading, now, verdict }: Row, commit: string) => ({
  work,
  [`stored (${commit})`]: reading ? `${reading.ratio} (${reading.least} to ${reading.most})` : '',
  now,
  verdict,
});

async function gate(base: string): Promise<void> {
  const { stored, note } = await readStored(base, root);
  checkMachine(stored, base);
  if (note) console.log(note);
  const measured = wanted.flatMap((part) => measure(part, stored));
  const ofThese = stored.rows.filter(({ bench }) => isWanted(bench));
  const rows = rowsOf(measured, ofThese);
  const now = short(await commitOf('HEAD', root));
  console.log(`Stored: the ratios of ${short(stored.commit)}. Now: those of what is installed, at ${now}.`);
  console.table(rows.map((row) => cellsOf(row, short(stored.commit))));
  const failures = failuresOf(rows);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}

/** Throws UserError when a run lacks a ratio that others have, or has one that is not a number. */
function readingFrom(work: string, values: readonly number[]): Reading {
  if (values.length === runs && values.every(Number.isFinite)) return readingOf(values);
  throw new UserError(`${work}: not each of ${runs} runs has a number: ${JSON.stringify(values)}`);
}

async function write(): Promise<void> {
  const [commit, facts] = [await commitOf('HEAD', root), factsNow()];
  const all = Array.from({ length: runs }, () => wanted.flatMap(measurePart)).flat();
  const rows = [...Map.groupBy(all, ({ work }) => work)].map(([work, goals]) => {
    const reading = readingFrom(
      work,
      goals.map(({ value }) => value),
    );
    return { bench: goals[0]?.result ?? '', work, ...reading };
  });
  console.log(`The ratios of ${short(commit)}:`);
  console.table(rows);
  writeReport('gate', { commit, facts, runs, rows } satisfies Stored);
}

if (await stopBuilder()) console.log('the builder of engines has ended; `make up` starts it again');
const [argument = 'HEAD^'] = process.argv.slice(2);
try {
  if (wanted.length === 0)
    throw new UserError(`ONLY names none of ${parts.map(({ bench }) => bench).join(', ')}`);
  if (argument === '--write') await write();
  else await gate(argument);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
