import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopBuilder } from '../hack/builder/service.ts';
import { run, UserError } from '../hack/lib/run.ts';
import { measurePart, type Part, parts } from './gate/measure.ts';
import { type Reading, readingOf, verdictOf } from './gate/verdict.ts';
import { type Facts, factsNow } from './lib/facts.ts';
import { writeReport } from './lib/report.ts';
import type { Goal } from './performance/goals.ts';

/**
 * `make gate`: whether this commit is slower than another one. Compares the ratios to the raw peers with those in
 * bench/results/gate.json of the commit `BASE` (the one before), or in a file: `node bench/gate.ts BASE`. What looks worse
 * is measured again, and the better result counts. Ends with 1 if something is worse. `--write` stores the ratios of this
 * commit, from `RUNS` runs (3). Needs an installation of this commit, without a rate limit (`VALUES=bench/values.yaml make up`),
 * and nginx. `ONLY=submit,lists` measures only these.
 */
interface Stored {
  facts: Facts;
  rows: ({ work: string } & Reading)[];
}

const runs = Number(process.env.RUNS ?? 3);
const file = 'bench/results/gate.json';
const only = process.env.ONLY?.split(',');
// The benchmarks have a variable of this name, too.
delete process.env.ONLY;
const wanted = parts.filter(({ bench }) => only?.includes(bench) ?? true);

/** What was stored with the commit, or in the file. */
async function readBefore(base: string): Promise<Stored> {
  if (existsSync(base)) return JSON.parse(readFileSync(base, 'utf8'));
  const cwd = join(import.meta.dirname, '..');
  const remedy = `check out ${base}, install it, run \`node bench/gate.ts --write\`, and give the file that this writes`;
  return JSON.parse(await run('git', ['show', `${base}:${file}`], { cwd, remedy }));
}

/** Throws UserError when the ratios are those of another machine: they depend on the processor. */
function checkMachine({ facts }: Stored, base: string): void {
  const [there, here] = [facts, factsNow()].map(({ cores, cpu }) => `${cores} cores (${cpu})`);
  if (there === here) return;
  throw new UserError(
    `The ratios of ${base} are those of ${there}, and this machine has ${here}. Measure both commits on one machine.`,
  );
}

function compare(goal: Goal, before: Stored) {
  const reading = before.rows.find(({ work }) => work === goal.work);
  return { reading, verdict: verdictOf({ is: goal.is, before: reading, now: goal.value }) };
}

const isBetter = (one: Goal, other: Goal) =>
  one.is === 'atMost' ? one.value < other.value : one.value > other.value;

/** The ratios of a part; those of a second run where they are better, if something looks worse. */
function measure(part: Part, before: Stored): Goal[] {
  const first = measurePart(part);
  if (first.every((goal) => compare(goal, before).verdict !== 'worse')) return first;
  const second = measurePart(part);
  return first.map(
    (goal) => second.find((other) => other.work === goal.work && isBetter(other, goal)) ?? goal,
  );
}

async function gate(base: string): Promise<void> {
  const before = await readBefore(base);
  checkMachine(before, base);
  const rows = wanted
    .flatMap((part) => measure(part, before))
    .map((goal) => {
      const { reading, verdict } = compare(goal, before);
      const text = reading ? `${reading.ratio} (${reading.least} to ${reading.most})` : '';
      return { work: goal.work, before: text, now: goal.value, verdict };
    });
  console.table(rows);
  if (rows.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1;
}

function write(): void {
  const facts = factsNow();
  const ratios = new Map<string, number[]>();
  for (let index = 0; index < runs; index += 1) {
    for (const { work, value } of wanted.flatMap(measurePart)) {
      ratios.set(work, [...(ratios.get(work) ?? []), value]);
    }
  }
  const rows = [...ratios].map(([work, values]) => ({ work, ...readingOf(values) }));
  console.table(rows);
  writeReport('gate', { facts, runs, rows });
}

if (await stopBuilder()) console.log('the builder of engines has ended; `make up` starts it again');
const [argument = 'HEAD^'] = process.argv.slice(2);
try {
  if (argument === '--write') write();
  else await gate(argument);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
