import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines } from '../../hack/lib/format.ts';
import { UserError } from '../../hack/lib/run.ts';
import { type Goal, goalsNow } from '../performance/goals.ts';

/** A benchmark with fewer samples, unless the environment sets another number. */
export interface Part {
  bench: string;
  env: Record<string, string>;
}

/** What the gate measures, in about ten minutes. Each has its raw peer in the same run. */
export const parts: Part[] = [
  { bench: 'start', env: { SAMPLES: '8' } },
  { bench: 'wake', env: { SAMPLES: '8' } },
  { bench: 'submit', env: { ROUNDS: '4' } },
  { bench: 'lists', env: { COUNT: '500', LARGE: '0', ROUNDS: '15' } },
  { bench: 'gateway', env: { ROUNDS: '3', SECONDS: '1', ONLY: 'cost' } },
  { bench: 'real', env: { SAMPLES: '40', ROUNDS: '5', ONLY: 'viem,forge,forks' } },
];

/** Runs a benchmark and returns the ratios that have a goal. Keeps no result. Throws UserError when it fails or has none. */
export function measurePart({ bench, env }: Part): Goal[] {
  const startMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-gate-'));
  const log = join(folder, 'output');
  const output = openSync(log, 'w');
  try {
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '..', `${bench}.ts`)], {
      env: { ...env, ...process.env, RESULTS: folder },
      stdio: ['ignore', output, output],
    });
    if (status !== 0) throw new UserError(`${bench} failed:\n${lastLines(readFileSync(log, 'utf8'), 20)}`);
    console.log(`${bench}: ${Math.round((performance.now() - startMs) / 1000)} s`);
    return goalsOf(bench, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ratios in a result. Throws UserError where it has none, or not the rows that they are made of. */
function goalsOf(bench: string, folder: string): Goal[] {
  let goals: Goal[];
  try {
    goals = goalsNow(folder);
  } catch (error) {
    throw new UserError(`the result of ${bench} lacks what a ratio is made of: ${error}`);
  }
  if (goals.length === 0) throw new UserError(`the result of ${bench} has no ratio with a goal`);
  return goals;
}
