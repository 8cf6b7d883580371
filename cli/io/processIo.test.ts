import { execFile, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { startServer } from '../testing/server.ts';

it('output that cannot be written is a failure', () => {
  const full = openSync('/dev/full', 'w');
  const args = ['cli/main.ts', 'completion', 'bash'];
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  expect([status, String(stderr)]).toEqual([1, 'Error: the output cannot be written: ENOSPC.\n']);
});

it('where no program opens pages, the message says what to do', async () => {
  const server = await startServer(() => ({ status: 201, body: { url: 'https://a.example/link' } }));
  const env = { SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret', PATH: '/none' };
  const run = promisify(execFile)(process.execPath, ['cli/main.ts', 'console', '--browser'], { env });
  const { code, stderr } = await run.catch((error) => error);
  server.close();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: No browser can be opened here: .+\nLeave out --browser/),
  ]);
});
