import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { type Outcome, startInstallation, type TestInstallation } from '../testing/installation.ts';
import { runProgram } from '../testing/program.ts';

let kube: FakeKube;
let installation: TestInstallation;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-with-network-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await installation.stop();
});

/** Runs the command with a program for it to run. */
async function run(args: string[], program: string, outcome?: Outcome) {
  kube = createFakeKube();
  const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
  installation = await startInstallation({ kube, users, ...(outcome ? { outcome } : {}) });
  const { api, apiKey } = installation;
  const command = program === '' ? [] : ['--', process.execPath, '-e', program];
  return runProgram('sdk/bin/withNetwork.ts', [...args, ...command], {
    SLIPWAY_URL: api.url,
    SLIPWAY_API_KEY: apiKey,
    SLIPWAY_WORKSPACE: undefined,
  });
}

async function isEmpty() {
  const [networks, secrets] = await Promise.all([kube.list(networkType), kube.list(secretType)]);
  return networks.items.length + secrets.items.length === 0;
}

it('runs the command with the network in its environment, and removes it', async () => {
  const names = ['RPC_URL', 'ETH_RPC_URL', 'ADMIN_URL', 'CHAIN_ID', 'PRIVATE_KEY'];
  const { code, stdout, stderr } = await run(
    [],
    `console.log(${names.map((name) => `process.env.${name}`)})`,
  );
  const url = 'http://gateway/rpc/n/key/rpc';
  expect(stdout).toMatch(new RegExp(`^${url} ${url} http://gateway/\\S+/admin 31337 0x[0-9a-f]{64}\n$`));
  expect(stderr).toContain('Operational running');
  expect(code).toBe(0);
  expect(await isEmpty()).toBe(true);
});

it.each([
  ['its code', 'process.exit(7)', 7],
  ['128 and the number of its signal', "process.kill(process.pid, 'SIGTERM')", 143],
])('exits with %s when the command fails, and removes the network', async (_what, program, expected) => {
  expect((await run([], program)).code).toBe(expected);
  expect(await isEmpty()).toBe(true);
});

it('takes the spec from a file', async () => {
  const file = join(folder, 'network.json');
  writeFileSync(file, '{ "chain": { "type": "Base" }, "persistent": 7 }');
  const { code, stderr } = await run(['--spec', file], 'process.exit(0)');
  expect([code, stderr]).toEqual([1, expect.stringContaining('spec.persistent')]);
  expect(await isEmpty()).toBe(true);
});

it('does not run the command without a network', async () => {
  const { code, stdout, stderr } = await run([], "console.log('ran')", {
    state: 'Error',
    message: 'no image',
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('no image');
  expect(await isEmpty()).toBe(true);
});

it.each([[[]], [['--']], [['--spec', 'file']], [['npm', 'test']]])('explains itself: %j', async (args) => {
  const { code, stderr } = await run(args, '');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: slipway-with-network')]);
});
