import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { createTestCli, type TestCli } from '../../cli/testing/run.ts';
import { networkType, recordingType, secretType } from '../../core/api/resources/resources.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';

/** apply, diff and delete on the real API server in this process. */

let kube: FakeKube;
let api: TestApi;
let cli: TestCli;
let folder: string;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users: [], hasDefaults: true });
  cli = await createTestCli({ SLIPWAY_URL: api.url, SLIPWAY_API_KEY: 'bootstrap.secret-of-bootstrap' });
  folder = await mkdtemp(join(tmpdir(), 'slipway-apply-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await cli.close();
  await api.close();
});

const stored = (name: string) => kube.get(networkType, { namespace: 'slipway-default', name });
const report = (name: string, status: object) =>
  kube.patch(networkType, { namespace: 'slipway-default', name }, { status }, 'status');

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const head = (kind: string, name: string) =>
  `apiVersion: slipway.dev/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: elsewhere, labels: { team: a } }\n`;
const key = `${head('Secret', 'hot-key')}spec: { type: private-key, data: rAl0vsOaF+NrpKa00jj/lEustHjL7V78rnhNe/Ty/4A= }\n`;
const network = (more = '') =>
  `${head('Network', 'a')}spec:\n${more}  chain: { type: Ethereum, ethereum: { privateKeyRef: { name: hot-key } } }\n`;
const lines = (text: string) => text.trimEnd().split('\n');

it('creates what is missing, leaves alone what is equal, and updates what differs', async () => {
  const path = await file('all.yaml', [network(), key].join('---\n'));
  const first = await cli(['apply', '-f', path]);
  expect([first.code, first.stderr, lines(first.stdout)]).toEqual([
    0,
    '',
    ['secret/hot-key created', 'network/a created'],
  ]);
  expect((await cli(['apply', '-f', path])).stdout).toBe('secret/hot-key unchanged\nnetwork/a unchanged\n');
  const changed = await file('all.yaml', [network('  persistent: true\n'), key].join('---\n'));
  expect((await cli(['apply', '-f', changed])).stdout).toBe('secret/hot-key unchanged\nnetwork/a updated\n');
  expect((await stored('a'))?.spec.persistent).toBe(true);
  expect((await stored('a'))?.metadata.labels).toMatchObject({ team: 'a' });
});

it('diff shows each field that differs and ends with 1; with 0 when nothing does', async () => {
  const path = await file('all.yaml', [key, network('  idleAfter: 30m\n')].join('---\n'));
  const missing = await cli(['diff', '-f', path]);
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain('secret/hot-key would be created\n');
  expect(missing.stdout).toContain('+ spec.data: (hidden)');
  expect(missing.stdout).not.toContain('rAl0vsOa');
  await cli(['apply', '-f', path]);
  expect(await cli(['diff', '-f', path])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '0 of 2 objects differ.\n',
  });
  const changed = await file('other.yaml', network('  idleAfter: 1h\n  persistent: true\n'));
  const { code, stdout, stderr } = await cli(['diff', '-f', changed]);
  expect([code, stderr, lines(stdout)]).toEqual([
    1,
    '1 of 1 objects differ.\n',
    ['network/a would be updated', '  ~ spec.idleAfter: "30m" -> "1h"', '  + spec.persistent: true'],
  ]);
  expect((await stored('a'))?.spec.idleAfter).toBe('30m');
});

it('--dry-run changes nothing', async () => {
  const path = await file('a.yaml', network());
  expect((await cli(['apply', '-f', path, '--dry-run'])).stdout).toContain('network/a would be created\n');
  expect(await stored('a')).toBeUndefined();
});

it('a request that "slipway network reset" made stays when a manifest is applied', async () => {
  const path = await file('a.yaml', network());
  await cli(['apply', '-f', path]);
  await cli(['network', 'reset', 'a']);
  expect((await cli(['apply', '-f', path])).stdout).toBe('network/a unchanged\n');
  await file('a.yaml', network('  persistent: true\n'));
  await cli(['apply', '-f', path]);
  expect((await stored('a'))?.spec.maintenanceRequest).toEqual({ action: 'ResetState', nonce: 1 });
});

it('what cannot be changed is refused with its place, before anything is changed', async () => {
  await cli(['apply', '-f', await file('all.yaml', key)]);
  const other = key.replace('rAl0', 'rAl1');
  const { code, stderr } = await cli([
    'apply',
    '-f',
    await file('all.yaml', [network(), other].join('---\n')),
  ]);
  expect(code).toBe(5);
  expect(stderr).toMatch(/all\.yaml:\d+: a Secret cannot be changed \(spec\.data\): delete "hot-key" first/);
  expect(await stored('a')).toBeUndefined();
});

it('apply --wait waits for the networks, and ends with 6 when one is in Error', async () => {
  const path = await file('a.yaml', network());
  let asked = false;
  const { code, stderr } = await cli(['apply', '-f', path, '--wait'], {
    onProgress(text) {
      if (asked || !text.includes('a: Pending')) return;
      asked = true;
      void report('a', { state: 'Error', message: 'no secret "hot-key"' });
    },
  });
  expect([code, stderr]).toEqual([6, expect.stringContaining('network "a" ended: no secret "hot-key"')]);
});

/** Stands in for the operator: reports what is recorded, and completes stopped recordings. */
function startRecorder(): () => Promise<void> {
  const reflector = createReflector({ kube, type: recordingType, log: silentLog, clock: systemClock });
  reflector.onChange(({ type, object: { metadata, spec, status } }) => {
    const state = spec.stopped ? 'recorded' : 'recording';
    if (type !== 'set' || status?.state === state) return;
    const networks = spec.networks.map((name) => ({ network: name, state }));
    void kube.patch(recordingType, metadata, { status: { state, networks } }, 'status');
  });
  reflector.start();
  return reflector.stop;
}

it('a snapshot waits for the network of its manifests no longer than --timeout', async () => {
  const path = await file(
    'all.yaml',
    [key, network(), `${head('Snapshot', 's')}spec: { network: a }\n`].join('---\n'),
  );
  const { code, stderr } = await cli(['apply', '-f', path, '--wait', '--timeout', '100ms']);
  expect([code, stderr]).toEqual([124, expect.stringContaining('Network "a" was not done after')]);
});

it('a token and a recording are found again by the name of their manifest; a token takes further networks', async () => {
  const stopRecorder = startRecorder();
  await cli([
    'apply',
    '-f',
    await file('n.yaml', [network(), network().replace('name: a', 'name: b')].join('---\n')),
  ]);
  const token = (names: string[]) =>
    `${head('Token', 'coin')}spec:\n  name: Coin\n  symbol: COIN\n  type: ERC20\n  deployments:\n${names
      .map((name) => `  - { network: ${name}, args: { total_supply: "1000" } }\n`)
      .join('')}`;
  const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const recording = (more = '') =>
    `${head('Recording', 'tape')}spec: { userAddress: "${address}", networks: [a, b]${more} }\n`;
  const path = await file('t.yaml', [recording(), token(['a'])].join('---\n'));
  await cli(['secret', 'create', 'default-key', '--random', '--type', 'private-key']);
  const created = await cli(['apply', '-f', path]);
  expect([created.stderr, created.stdout]).toEqual(['', 'token/coin created\nrecording/tape created\n']);
  expect((await cli(['apply', '-f', path])).stdout).toBe('token/coin unchanged\nrecording/tape unchanged\n');
  await file('t.yaml', [recording(', stopped: true'), token(['b', 'a'])].join('---\n'));
  const changed = await cli(['diff', '-f', path]);
  expect(changed.stdout).toContain('+ spec.deployments.b');
  expect((await cli(['apply', '-f', path])).stdout).toBe('token/coin updated\nrecording/tape updated\n');
  const tokens = await cli(['token', 'list', '--json']);
  expect(tokens.json.items[0].deployments).toHaveLength(2);
  await file('t.yaml', token(['a']).replace('COIN', 'MINT'));
  const refused = await cli(['apply', '-f', path]);
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining('spec.symbol cannot be changed'),
  ]);
  expect((await cli(['delete', '-f', path])).stdout).toBe('token/coin deleted\n');
  await stopRecorder();
});

it('a number in a manifest that a double would change is refused as in a request, never rounded', async () => {
  await cli(['apply', '-f', await file('n.yaml', network())]);
  const args = '{ total_supply: "200000000000000000000000", liquidity: 123456789012345678901234 }';
  const spec = `{ name: Coin, symbol: COIN, type: CCT, mechanism: lock-release, deployments: [{ network: a, args: ${args} }] }`;
  const { code, stderr } = await cli([
    'apply',
    '-f',
    await file('t.yaml', `${head('Token', 'coin')}spec: ${spec}\n`),
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('at most 17 significant digits')]);
});

it('--prune deletes what has the label and is in no manifest, after a confirmation', async () => {
  await cli([
    'apply',
    '-f',
    await file('a.yaml', [key, network(), network().replace('name: a', 'name: b')].join('---\n')),
  ]);
  const path = await file('a.yaml', [key, network()].join('---\n'));
  const prune = ['apply', '-f', path, '--prune'];
  expect((await cli(prune)).stderr).toContain('--prune needs a label.');
  const unasked = await cli([...prune, '-l', 'team=a']);
  expect([unasked.code, unasked.stderr]).toEqual([
    2,
    'Error: Deleting network/b needs a confirmation.\nAdd --yes.\n',
  ]);
  expect((await cli([...prune, '-l', 'team=a'], { answers: ['n'] })).code).toBe(1);
  expect((await cli([...prune, '-l', 'team=a', '--dry-run'])).stdout).toContain('network/b would be deleted');
  expect(await stored('b')).toBeDefined();
  expect((await cli([...prune, '-l', 'team=a'], { answers: ['y'] })).stdout).toContain('network/b deleted');
  expect([await stored('a'), await stored('b')]).toEqual([expect.anything(), undefined]);
});

it.each([
  ['delete', async (both: string) => ['delete', '-f', both]],
  [
    'apply --prune',
    async () => {
      const other = `${head('Network', 'b')}spec: { chain: { type: Base, base: {} } }\n`;
      return ['apply', '-f', await file('other.yaml', other), '--prune', '-l', 'team=a', '--yes'];
    },
  ],
])('%s deletes a secret once the network that uses it is gone', async (_what, argsFor) => {
  const both = await file('both.yaml', [key, network()].join('---\n'));
  await cli(['apply', '-f', both]);
  const ref = { namespace: 'slipway-default', name: 'a' };
  await kube.patch(networkType, ref, { metadata: { finalizers: ['slipway.dev/network'] } });
  let isLeaving = false;
  const onProgress = (stderr: string) => {
    if (isLeaving || !stderr.includes('a: deleting')) return;
    isLeaving = true;
    void kube.patch(networkType, ref, { metadata: { finalizers: [] } });
  };
  const { code, stdout, stderr } = await cli(await argsFor(both), { onProgress });
  expect([code, stderr]).toEqual([0, 'a: deleting\na: deleted\n']);
  expect(stdout).toContain('network/a deleted\nsecret/hot-key deleted\n');
});

it('standard input, folders and lists are read; delete goes in the opposite order and passes over what is missing', async () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${key.replaceAll('\n', '\n  ')}\n`;
  expect((await cli(['apply', '-f', '-'], { stdin: list })).stdout).toBe('secret/hot-key created\n');
  await file('1.yaml', network());
  await file(
    '2.json',
    JSON.stringify({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Network',
      metadata: { name: 'b' },
      spec: { chain: { type: 'Base', base: {} } },
    }),
  );
  await file('notes.txt', 'none');
  expect((await cli(['apply', '-f', folder])).stdout).toBe('network/a created\nnetwork/b created\n');
  await file('0.yaml', key);
  await cli(['network', 'delete', 'b']);
  expect((await cli(['delete', '-f', folder])).stdout).toBe(
    'network/b does not exist\nnetwork/a deleted\nsecret/hot-key deleted\n',
  );
});

it.each([
  [
    'another group',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
    /x\.yaml:1: apiVersion is "v1"/,
  ],
  [
    'a kind that REST has not',
    `${head('Outbox', 'a')}spec: {}\n`,
    /x\.yaml:1: Outbox cannot be applied through REST/,
  ],
  [
    'no name',
    'apiVersion: slipway.dev/v1alpha1\nkind: Network\nspec: {}\n',
    /x\.yaml:1: metadata\.name is missing/,
  ],
  ['broken YAML', 'a: 1\nb: [', /x\.yaml:2: this is not YAML: .+\.\n/],
  ['the same twice', [network(), network()].join('---\n'), /Network\/a is in .*x\.yaml:1 and in .*x\.yaml:7/],
  [
    'a sealed secret',
    `${head('Secret', 's')}spec: { type: t, data: "v1:k1:abc" }\n`,
    /is sealed, as "kubectl get" shows it/,
  ],
])('refuses %s with its place', async (_reason, text, message) => {
  const { code, stderr } = await cli(['apply', '-f', await file('x.yaml', text)]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

it('what the API refuses is shown with its fields', async () => {
  const path = await file(
    'x.yaml',
    `${head('Network', 'a')}spec: { chain: { type: Ethereum, ethereum: { blockTime: -1 } } }\n`,
  );
  const { code, stderr } = await cli(['apply', '-f', path]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('x.yaml:4: network/a: spec.chain.ethereum.blockTime: '),
  ]);
  expect(stderr).toMatch(/\nRequest: \S+\n$/);
});

it.each([
  ['has no anchor', 'spec: { chain: *it }'],
  ['leads back to itself', 'spec: &it { chain: *it }'],
])('an alias that %s is wrong usage, with the name of the file', async (_what, spec) => {
  const path = await file('x.yaml', `${head('Network', 'a')}${spec}\n`);
  const { code, stderr } = await cli(['apply', '-f', path]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} cannot be read: `)]);
});

it('an object that the service refuses is named with its file and line, before the first one is written', async () => {
  const wrong = `${head('Network', 'b')}spec:\n  chain:\n    type: Ethereum\n    ethereum:\n      blockTime: 99999\n      privateKeyRef: { name: hot-key }\n`;
  const path = await file('all.yaml', [key, wrong].join('---\n'));
  for (const dry of [['--dry-run'], []]) {
    const { code, stdout, stderr } = await cli(['apply', '-f', path, ...dry]);
    expect([code, stdout]).toEqual([1, '']);
    expect(lines(stderr)[0]).toBe('Error: One field is refused. Nothing was changed.');
    expect(lines(stderr)[1]).toMatch(/all\.yaml:13: network\/b: spec\.chain\.ethereum\.blockTime: /);
  }
  expect((await cli(['secret', 'list', '--json'])).json.items).toEqual([]);
});

it('all mistakes are named at once, in the order of the manifests', async () => {
  const documents = [
    network(),
    `${head('Network', 'b')}spec: { chain: { type: Ethereum, ethereum: { blokTime: 1, privateKeyRef: { name: k } } } }\n`,
    `${head('Nettwork', 'c')}spec: {}\n`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: d }\n',
    'apiVersion: slipway.dev/v1alpha1\nkind: Network\nspec: {}\n',
    'a: [\n',
  ];
  const path = await file('all.yaml', documents.join('---\n'));
  const { code, stdout, stderr } = await cli(['apply', '-f', path]);
  expect([code, stdout]).toEqual([2, '']);
  const said = lines(stderr).map((line) => line.trim().replace(path, 'all.yaml'));
  expect(said.slice(0, 6)).toEqual([
    'Error: 5 mistakes. Nothing was changed.',
    expect.stringMatching(/^all\.yaml:\d+: network\/b: spec\.chain\.ethereum.*blokTime/),
    expect.stringMatching(
      /^all\.yaml:\d+: Nettwork cannot be applied through REST\. These can: Secret, Network/,
    ),
    expect.stringMatching(/^all\.yaml:\d+: apiVersion is "v1"/),
    expect.stringMatching(/^all\.yaml:\d+: metadata\.name is missing\./),
    expect.stringMatching(/^all\.yaml:\d+: this is not YAML: /),
  ]);
});

it('a secret that kubectl made is known', async () => {
  const spec = { type: 'private-key', data: 'k1:sealed' };
  const metadata = { name: 'theirs', namespace: 'slipway-default' };
  kube.seed(secretType, { apiVersion: 'slipway.dev/v1alpha1', kind: 'Secret', metadata, spec });
  const manifest = `${head('Secret', 'theirs')}spec: { type: private-key, data: rAl0vsOaF+NrpKa00jj/lEustHjL7V78rnhNe/Ty/4A= }\n`;
  const path = await file('theirs.yaml', manifest.replace(', labels: { team: a }', ''));
  expect((await cli(['apply', '-f', path, '--dry-run'])).stdout).toBe('secret/theirs unchanged\n');
  expect((await cli(['secret', 'get', 'theirs'])).stdout).toContain('theirs');
});
