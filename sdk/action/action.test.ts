import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { projectRoot } from '../../hack/lib/paths.ts';
import { type Outcome, startInstallation, type TestInstallation } from '../testing/installation.ts';
import { runProgram } from '../testing/program.ts';

const action = parse(readFileSync(join(projectRoot, 'action.yml'), 'utf8'));
const files = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STATE', 'GITHUB_PATH'] as const;

let kube: FakeKube;
let installation: TestInstallation;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-action-'));
  for (const name of files) writeFileSync(join(folder, name), '');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await installation.stop();
});

/** An installation, and the environment in which the runner starts a part of the action. */
async function start(inputs: Record<string, string> = {}, outcome?: Outcome) {
  kube = createFakeKube();
  const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
  installation = await startInstallation({ kube, users, ...(outcome ? { outcome } : {}) });
  const { api, apiKey } = installation;
  const defaults: [string, { default?: string }][] = Object.entries(action.inputs);
  const all = {
    ...Object.fromEntries(defaults.map(([name, input]) => [name, input.default ?? ''])),
    url: api.url,
    'api-key': apiKey,
    ...inputs,
  };
  return {
    ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...Object.fromEntries(files.map((name) => [name, join(folder, name)])),
  };
}

/** The entries of one of the runner's files. */
function entriesOf(name: (typeof files)[number]): Record<string, string> {
  const text = readFileSync(join(folder, name), 'utf8');
  const entries = text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2\n/gm);
  return Object.fromEntries([...entries].map(([, key = '', , value = '']) => [key, value]));
}

/** What the runner hands to the post step. */
const savedState = () =>
  Object.fromEntries(
    Object.entries(entriesOf('GITHUB_STATE')).map(([key, value]) => [`STATE_${key}`, value]),
  );

async function count() {
  const [networks, secrets] = await Promise.all([kube.list(networkType), kube.list(secretType)]);
  return [networks.items.length, secrets.items.length];
}

const main = (environment: Record<string, string>) => runProgram(action.runs.main, [], environment);
const post = (environment: Record<string, string>) =>
  runProgram(action.runs.post, [], { ...environment, ...savedState() });

it('creates a network, hands on its endpoints, and removes it afterwards', async () => {
  const environment = await start({ name: 'ci', spec: '{ "chain": { "type": "Base", "base": {} } }' });
  const { code, stdout, stderr } = await main(environment);
  expect([code, stderr]).toEqual([0, '']);
  const outputs = entriesOf('GITHUB_OUTPUT');
  expect(Object.keys(outputs)).toEqual(Object.keys(action.outputs));
  expect(outputs).toMatchObject({
    name: 'ci',
    'chain-id': '31337',
    'rpc-url': 'http://gateway/rpc/n/key/rpc',
  });
  expect(entriesOf('GITHUB_ENV')).toMatchObject({
    RPC_URL: outputs['rpc-url'],
    CHAIN_ID: '31337',
    NETWORK_ID: outputs.id,
    PRIVATE_KEY: outputs['private-key'],
    ADMIN_URL: outputs['admin-url'],
  });
  expect(await count()).toEqual([1, 1]);
  const [network] = (await kube.list(networkType)).items;
  expect(network?.spec).toMatchObject({ expiresAfter: '2h', chain: { type: 'Base' } });
  expect(stdout).toContain('Operational running');

  const removed = await post(environment);
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining(`${outputs.id} is removed`)]);
  expect(await count()).toEqual([0, 0]);
});

it('masks the key and every URL before it hands them on, and prints none of them otherwise', async () => {
  const environment = await start();
  const { stdout } = await main(environment);
  const outputs = entriesOf('GITHUB_OUTPUT');
  const secrets = [
    installation.apiKey,
    ...['rpc-url', 'ws-url', 'admin-url', 'private-key'].map((name) => outputs[name]),
  ];
  const lines = stdout.split('\n');
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    expect(lines).toContain(`::add-mask::${secret}`);
  }
  const others = lines.filter((line) => !line.startsWith('::add-mask::')).join('\n');
  expect(secrets.filter((secret) => others.includes(secret ?? ''))).toEqual([]);
});

/** A folder with an npm that writes down its arguments, or fails. */
function fakeNpm(command: string): string {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return `${programs}:${process.env.PATH}`;
}

it('installs the command line of its own version for later steps, when it is to', async () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const environment = await start({ 'install-cli': 'true' });
  const PATH = fakeNpm(`echo "$@" > ${folder}/npm`);
  expect((await main({ ...environment, PATH, RUNNER_TEMP: folder })).code).toBe(0);
  const prefix = join(folder, 'slipway-cli');
  expect(readFileSync(join(folder, 'npm'), 'utf8')).toBe(
    `install --prefix ${prefix} --no-audit --no-fund --loglevel=error @slipway/cli@${version}\n`,
  );
  expect(readFileSync(join(folder, 'GITHUB_PATH'), 'utf8')).toBe(`${prefix}/node_modules/.bin\n`);
});

it('creates nothing when the command line cannot be installed', async () => {
  const environment = await start({ 'install-cli': 'true' });
  const { code, stdout } = await main({ ...environment, PATH: fakeNpm('exit 1'), RUNNER_TEMP: folder });
  expect([code, stdout]).toEqual([1, expect.stringContaining('::error::install-cli: npm could not install')]);
  expect(await count()).toEqual([0, 0]);
});

it('exports no variables when it is not to', async () => {
  const environment = await start({ 'export-environment': 'false' });
  expect((await main(environment)).code).toBe(0);
  expect(entriesOf('GITHUB_ENV')).toEqual({});
});

it('removes what a main step that was killed had created', async () => {
  const environment = await start();
  await main(environment);
  writeFileSync(join(folder, 'GITHUB_OUTPUT'), '');
  expect(Object.keys(savedState())).toEqual(['STATE_created']);
  await post(environment);
  expect(await count()).toEqual([0, 0]);
});

it('fails at once, with the message of the network, when that ends in Error', async () => {
  const environment = await start({}, { state: 'Error', message: 'no image' });
  const { code, stdout } = await main(environment);
  expect([code, stdout]).toEqual([1, expect.stringContaining('::error::no image')]);
  expect(await count()).toEqual([0, 0]);
  expect((await post(environment)).code).toBe(0);
});

it.each([
  [
    'an invalid field',
    '{ "chain": { "type": "Ethereum", "ethereum": { "blockTime": -1 } } }',
    'spec.chain.ethereum.blockTime',
  ],
  ['what is not JSON', '{ chain }', 'spec: not valid JSON'],
  ['a file that does not exist', 'network.json', 'spec: there is no file network.json'],
  ['another document', '{ "kind": "Network" }', 'spec: has no member "chain"'],
])('names %s', async (_what, spec, text) => {
  const { code, stdout } = await main(await start({ spec }));
  expect([code, stdout]).toEqual([1, expect.stringContaining(text)]);
  expect(await count()).toEqual([0, 0]);
});

it('names a limit that is not a number', async () => {
  const { code, stdout } = await main(await start({ 'timeout-seconds': '10m' }));
  expect([code, stdout]).toEqual([1, expect.stringContaining('timeout-seconds: "10m" is not a number')]);
  expect(await count()).toEqual([0, 0]);
});

it('fails with the message of the service when the key is wrong, and never prints it otherwise', async () => {
  const { code, stdout } = await main(await start({ 'api-key': 'ann.wrong' }));
  expect(code).toBe(1);
  expect(stdout).toContain('::error::');
  expect(stdout.replace('::add-mask::ann.wrong', '')).not.toContain('ann.wrong');
});

it('a post step without a network has nothing to do', async () => {
  const { code, stdout } = await post(await start());
  expect([code, stdout.replace(/^::add-mask::.*\n/, '')]).toEqual([0, '']);
});

it('a network that cannot be removed is a warning: it expires by itself', async () => {
  const environment = await start();
  await main(environment);
  const { code, stdout } = await post({ ...environment, 'INPUT_API-KEY': 'ann.wrong' });
  expect([code, stdout]).toEqual([0, expect.stringContaining('::warning::the network is not removed')]);
});
