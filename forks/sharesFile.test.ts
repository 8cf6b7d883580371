import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceSharesFile } from '../core/accounts/shares/workspaceShares.ts';
import type { Clock } from '../core/lib/clock.ts';
import { silentLog } from '../core/lib/log.ts';
import { followSharesFile, type SharesFile } from './sharesFile.ts';

let folder: string;
let file: SharesFile;
let polls: { ms: number; check: () => unknown }[];
const clock: Pick<Clock, 'after'> = {
  after(ms, check) {
    polls.push({ ms, check });
    return () => {};
  },
};
const poll = async () => {
  while (polls.length === 0) await new Promise(setImmediate);
  await polls.shift()?.check();
};
const write = (text: string) => writeFileSync(join(folder, workspaceSharesFile), text);
const same = () => file.of('a') === file.of('b');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-shares-'));
  polls = [];
  file = followSharesFile({ folder, clock, log: silentLog });
});
afterEach(() => {
  file.stop();
  rmSync(folder, { recursive: true });
});

it('gives each workspace its own share until the operator has written who owns several', async () => {
  expect([same(), file.of('a')]).toEqual([false, 'workspace/a']);
  write('{"account":["a","b"]}');
  await poll();
  expect(same()).toBe(true);
  write('{"account":["a","c"]}');
  await poll();
  await poll();
  expect(same()).toBe(false);
});

it.each(['', '{"account":', '[1]'])('keeps what it knows when it finds %p', async (text) => {
  write('{"account":["a","b"]}');
  await poll();
  write(text);
  await poll();
  rmSync(join(folder, workspaceSharesFile));
  await poll();
  expect(same()).toBe(true);
});
