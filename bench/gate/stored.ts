import { existsSync, readFileSync } from 'node:fs';
import { run, tryRun, UserError } from '../../hack/lib/run.ts';
import type { Facts } from '../lib/facts.ts';
import type { Reading } from './verdict.ts';

/** What `--write` stores: the ratios of a commit. */
export interface Stored {
  /** The commit that was measured. It is older than the one that the file was added with. */
  commit: string;
  facts: Facts;
  runs: number;
  rows: StoredRow[];
}

export interface StoredRow extends Reading {
  bench: string;
  work: string;
}

export const storedFile = 'bench/results/gate.json';

/** A commit as people read it. */
export const short = (commit: string): string => commit.slice(0, 8);

export async function commitOf(name: string, cwd: string): Promise<string> {
  const remedy = 'name a commit of this checkout, or a file';
  return (await run('git', ['rev-parse', '--verify', `${name}^{commit}`], { cwd, remedy })).trim();
}

/** What was stored with a commit, or in a file, and a note if it is not of that commit. */
export async function readStored(base: string, cwd: string): Promise<{ stored: Stored; note?: string }> {
  if (existsSync(base)) return { stored: parse(readFileSync(base, 'utf8'), base) };
  const commit = await commitOf(base, cwd);
  const { code, stdout } = await tryRun('git', ['show', `${commit}:${storedFile}`], { cwd });
  if (code !== 0) {
    throw new UserError(`${base} (${short(commit)}) has no ${storedFile}. ${remedyFor(base)}`);
  }
  const stored = parse(stdout, base);
  const note = await noteOn(base, commit, stored.commit, cwd);
  return note ? { stored, note } : { stored };
}

const remedyFor = (base: string) =>
  `Check out ${base}, install it, run \`node bench/gate.ts --write\` there, and give the path of the file that this writes as BASE.`;

function parse(text: string, base: string): Stored {
  const stored: Stored = JSON.parse(text);
  if (stored.commit) return stored;
  throw new UserError(`The ratios of ${base} do not say which commit was measured. ${remedyFor(base)}`);
}

/** Says so if the code of the commit is not what was measured. Only results may have been added since. */
async function noteOn(
  base: string,
  commit: string,
  measured: string,
  cwd: string,
): Promise<string | undefined> {
  const difference = ['diff', '--quiet', measured, commit, '--', '.', ':(exclude)bench/results'];
  const { code } = await tryRun('git', difference, { cwd });
  if (code === 0) return undefined;
  return (
    `${base} (${short(commit)}) has the ratios of another commit, ${short(measured)}: this compares with that one, ` +
    `so what has changed between the two counts as well. For the ratios of ${short(commit)} itself: ${remedyFor(base)}`
  );
}
