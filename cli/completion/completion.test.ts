import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer } from '../testing/server.ts';

let cli: TestCli;
let folder: string;
beforeAll(async () => {
  cli = await createTestCli();
  folder = mkdtempSync(join(tmpdir(), 'slipway-completion-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cli.close();
});

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await cli(['completion', shell]);
  expect(code).toBe(0);
  const path = join(folder, `slipway.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

/** What bash offers after these words, the last of which is being typed. */
function offered(path: string, words: string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `source '${path}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script]).toString().trim().split('\n');
}

it('the script for bash parses, and offers commands, options and choices', async () => {
  const path = await scriptFor('bash');
  execFileSync('bash', ['-n', path]);
  expect(offered(path, ['slipway', 'net'])).toEqual(['network']);
  expect(offered(path, ['slipway', 'network', 're'])).toEqual(['restart', 'reset', 'resync']);
  expect(offered(path, ['slipway', '--json', 'network', 'create', 'a', '--wa'])).toEqual(['--wait']);
  expect(offered(path, ['slipway', 'network', 'env', 'a', '--for', 'h'])).toEqual(['hardhat', 'hardhat2']);
  expect(offered(path, ['slipway', 'tx', 'list', '--state', 'm'])).toEqual(['mined']);
  expect(offered(path, ['slipway', 'network', 'create', 'a', '--type', 'E'])).toEqual(['Ethereum']);
  expect(offered(path, ['slipway', 'snapshot', ''])).toEqual(['create', 'list', 'get', 'revert', 'delete']);
  expect(offered(path, ['slipway', 'recording', 'list', '--state', ''])).toEqual(['recording', 'recorded']);
  expect(offered(path, ['slipway', 'secret', 'get', '--data', '--js'])).toEqual(['--json']);
  expect(offered(path, ['slipway', 'network', 'logs', '-f', '--js'])).toEqual(['--json']);
  expect(offered(path, ['slipway', 'apply', '-f', join(folder, 'slipway.b')])).toEqual([path]);
});

it('the script for bash offers names where one is the first argument, and options still', async () => {
  const path = await scriptFor('bash');
  const program = join(folder, 'slipway');
  writeFileSync(program, '#!/bin/sh\n[ "$*" = "completion names network" ] && echo "net-one net-two"\n', {
    mode: 0o755,
  });
  expect(offered(path, [program, 'network', 'stop', 'net-t'])).toEqual(['net-two']);
  expect(offered(path, [program, 'network', 'stop', '--js'])).toEqual(['--json']);
  expect(offered(path, [program, 'network', 'stop', ''])).toEqual(['net-one', 'net-two']);
  expect(offered(path, [program, 'network', 'create', 'net-t'])).toEqual(['']);
  expect(offered(path, [program, 'network', 'create', ''])).toEqual(['']);
  expect(offered(path, [program, 'network', 'faucet', 'net-one', 'net-t'])).toEqual(['']);
});

it('the names of what the caller has are listed for scripts, without those that a shell would expand', async () => {
  const items = ['EXM', '$(id)', 'two words', 'EXM', 'B.1'].map((symbol) => ({ symbol }));
  const server = await startServer(() => ({
    status: 200,
    body: { kind: 'TokenList', items, metadata: { total: 5 } },
  }));
  const env = { SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' };
  const { code, stdout } = await cli(['completion', 'names', 'token'], { env });
  server.close();
  expect([code, stdout]).toEqual([0, 'EXM\nB.1\n']);
});

it.each(['webhook', 'address'])('what features know by names is listed for scripts: %s', async (kind) => {
  const server = await startServer(() => ({
    status: 200,
    body: { items: [{ name: 'mine' }], metadata: {} },
  }));
  const env = { SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' };
  const { stdout } = await cli(['completion', 'names', kind], { env });
  server.close();
  expect(stdout).toBe('mine\n');
});

const isThere = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

it.each(['zsh', 'fish'])(
  'the script for %s names every command, and parses if the shell is there',
  async (shell) => {
    const path = await scriptFor(shell);
    const { stdout } = await cli(['completion', shell]);
    for (const name of ['network', 'rotate-keys', 'apply', 'completion', 'snapshot'])
      expect(stdout).toContain(name);
    expect(stdout.split("'").length % 2).toBe(1);
    if (isThere(shell)) execFileSync(shell, ['-n', path]);
  },
);

it('another shell is refused with the known ones', async () => {
  const { code, stderr } = await cli(['completion', 'tcsh']);
  expect([code, stderr]).toEqual([2, 'Error: There is no completion for "tcsh".\nUse bash, zsh or fish.\n']);
});
