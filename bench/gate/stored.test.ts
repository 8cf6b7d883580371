import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readStored, short, storedFile } from './stored.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-stored-'));
  git('init', '--quiet');
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** Writes a file and commits it; returns the commit. */
function commit(file: string, text: string): string {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  git('add', '.');
  git('commit', '--quiet', '--message', file);
  return git('rev-parse', 'HEAD');
}

const store = (measured: string) => commit(storedFile, JSON.stringify({ commit: measured, rows: [] }));

it('reads the ratios that were added after the commit that they are of', async () => {
  const measured = commit('code', '1');
  store(measured);
  const { stored, note } = await readStored('HEAD', folder);
  expect([stored.commit, note]).toEqual([measured, undefined]);
});

it('says so when the code has changed since the measurement', async () => {
  const measured = commit('code', '1');
  store(measured);
  commit('code', '2');
  const { note } = await readStored('HEAD', folder);
  expect(note).toContain(`has the ratios of another commit, ${short(measured)}`);
});

it('says so when the measured commit is not known here', async () => {
  store('f'.repeat(40));
  expect((await readStored('HEAD', folder)).note).toContain('another commit, ffffffff');
});

it('names the remedy where a commit has no ratios', async () => {
  commit('code', '1');
  const reading = readStored('HEAD', folder);
  await expect(reading).rejects.toThrow(/has no bench\/results\/gate\.json.*node bench\/gate\.ts --write/);
});

it('refuses ratios that do not name their commit', async () => {
  commit(storedFile, '{"rows":[]}');
  await expect(readStored('HEAD', folder)).rejects.toThrow('do not say which commit was measured');
});

it('refuses what is not a commit', async () => {
  await expect(readStored('nothing', folder)).rejects.toThrow('name a commit of this checkout, or a file');
});
