import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

it('output that cannot be written is a failure', () => {
  const full = openSync('/dev/full', 'w');
  const args = ['cli/main.ts', 'completion', 'bash'];
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  expect([status, String(stderr)]).toEqual([1, 'Error: the output cannot be written: ENOSPC.\n']);
});
