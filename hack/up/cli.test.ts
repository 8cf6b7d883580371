import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readProfiles, writeProfiles } from '../../cli/config/profiles.ts';
import { version } from '../../core/version.ts';
import { projectRoot } from '../lib/paths.ts';
import { installCli } from './cli.ts';

const run = promisify(execFile);
const environment = {
  SLIPWAY_URL: 'http://127.0.0.1:9',
  SLIPWAY_API_KEY_ID: 'id',
  SLIPWAY_API_KEY_SECRET: 'secret',
  SLIPWAY_API_KEY: 'id.secret',
  KUBECONFIG: '/kubeconfig',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "it's here-"));
  await installCli(environment, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const slipway = (args: string[], name = 'slipway') => run(join(folder, 'bin', name), args, { env: {} });

it('the launcher runs the bundle by itself, also as a plugin of kubectl', async () => {
  expect((await slipway(['--version'])).stdout).toBe(`${version}\n`);
  expect((await slipway(['network', '--help'], 'kubectl-slipway')).stdout).toContain(
    'Usage: kubectl slipway network',
  );
});

it('the version is that of package.json', async () => {
  const { version: expected } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  expect(version).toBe(expected);
});

it('it is signed in to the installation by a file that only its owner reads', async () => {
  const { stdout } = await slipway(['profile', 'list', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    items: [{ name: 'local', url: 'http://127.0.0.1:9', isCurrent: true }],
  });
  expect((await stat(join(folder, 'slipway.json'))).mode & 0o777).toBe(0o600);
});

it('another run replaces the profile of the installation alone', async () => {
  const path = join(folder, 'slipway.json');
  const { profiles } = await readProfiles(path);
  profiles.mine = { url: 'https://slipway.example.com', apiKey: 'a.b' };
  await writeProfiles(path, { current: 'mine', profiles });
  await installCli({ ...environment, SLIPWAY_API_KEY: 'id.other' }, folder);
  expect(await readProfiles(path)).toEqual({
    current: 'mine',
    profiles: {
      local: { url: 'http://127.0.0.1:9', apiKey: 'id.other' },
      mine: { url: 'https://slipway.example.com', apiKey: 'a.b' },
    },
  });
});
