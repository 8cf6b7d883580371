import { randomBytes } from 'node:crypto';
import type { RecordingResource, RecordingSpec } from '../../core/api/resources/recordingResource.ts';
import { networkType, recordingType } from '../../core/api/resources/resources.ts';
import { aRecording } from '../../core/api/testing/builders.ts';
import { evmDrivers } from '../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testing/testChain.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  captured,
  createRunningNetwork,
  headOf,
  publishedAt,
  type RecordingOperator,
  setNetwork,
  startRecordingOperator,
} from './testing/operator.ts';

const kube = createTestKube();
const namespace = `rec-${randomBytes(4).toString('hex')}`;
const urls = new Map<string, string>();
const chains: TestChain[] = [];
const stranger = `0x${'9'.repeat(40)}`;
let operator: RecordingOperator;

beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  operator = await startRecordingOperator(kube, { namespace, urls });
});
afterAll(async () => {
  await operator.stop();
  await Promise.all(chains.map((chain) => chain.stop()));
  await kube.close();
});

async function startNetwork(name: string): Promise<TestChain> {
  const chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  chains.push(chain);
  urls.set(name, chain.url);
  await createRunningNetwork(kube, { name, namespace }, await publishedAt(chain.url));
  return chain;
}

/** As over REST. */
async function record(name: string, networks: string[]): Promise<RecordingResource> {
  await create(name, networks, { start: await Promise.all(networks.map(headNow)) });
  return operator.reach(name, hasBegun);
}

async function create(name: string, networks: string[], more: Partial<RecordingSpec> = {}): Promise<void> {
  const userAddress = chains[0]?.wallet.address ?? '';
  const recording = aRecording({ name, namespace, spec: { userAddress, networks, ...more } });
  const { uid: _, creationTimestamp: __, ...metadata } = recording.metadata;
  await kube.create(recordingType, { ...recording, metadata });
}

const headNow = (name: string) => headOf(kube, { name, namespace }, urls.get(name) ?? '');

async function withoutOperator(work: () => Promise<unknown>, clock = kube.serverTimeMs): Promise<void> {
  await operator.stop();
  await work();
  operator = await startRecordingOperator({ ...kube, serverTimeMs: clock }, { namespace, urls });
}

const hasBegun = ({ status }: RecordingResource) =>
  status?.networks?.every(({ state }) => state === 'recording') === true;
const isRecorded = ({ status }: RecordingResource) => status?.state === 'recorded';
const stop = async (name: string) => {
  await kube.patch(recordingType, { namespace, name }, { spec: { stopped: true } });
  return operator.reach(name, isRecorded);
};
const pay = (chain: TestChain) => chain.send({ to: stranger, value: 1n });

it('captures all that the wallet does between start and stop, and nothing else', async () => {
  const chain = await startNetwork('plain');
  await pay(chain);
  await record('plain', ['plain']);
  const paid = await pay(chain);
  // PUSH1 1 PUSH1 0 MSTORE … returns one byte: a contract.
  const created = await chain.send({ data: '0x600160005360016000f3' });
  const failing = await chain.send({ data: '0x60fe60005360016000f3' });
  await chain.provider.send('anvil_impersonateAccount', [stranger]);
  await chain.provider.send('anvil_setBalance', [stranger, '0xde0b6b3a7640000']);
  const other = { from: stranger, to: chain.wallet.address, value: '0x1' };
  await chain.provider.send('eth_sendTransaction', [other]);
  const reverted = await chain.wallet.sendTransaction({ to: failing.contractAddress, gasLimit: 50_000 });
  await chain.provider.waitForTransaction(reverted.hash);
  const recording = await stop('plain');
  await pay(chain);
  expect(recording.status).toMatchObject({
    state: 'recorded',
    message: 'every network was recorded',
    transactions: 4,
    networks: [{ firstBlock: 2, lastBlock: 6, transactions: 4, chunks: 1 }],
    conditions: [{ type: 'Ready', status: 'True', reason: 'Recorded' }],
  });
  expect(recording.status?.endedAt).toBeDefined();
  const from = chain.wallet.address.toLowerCase();
  expect(await captured(kube, recording)).toMatchObject([
    { hash: paid.hash, from, to: stranger, value: '1', data: '0x', nonce: 1, block: 2, status: 'success' },
    { hash: created.hash, nonce: 2, contract_address: created.contractAddress?.toLowerCase() },
    { hash: failing.hash, nonce: 3 },
    { hash: reverted.hash, nonce: 4, status: 'reverted', gas_limit: 50_000 },
  ]);
});

it('names the contracts that a contract creates', async () => {
  const chain = chains[0] ?? (await startNetwork('plain'));
  await record('factory', ['plain']);
  // Creates two empty contracts per call: PUSH0 PUSH0 PUSH0 CREATE POP, twice.
  const runtime = '5f5f5ff0505f5f5ff05000';
  const factory = await chain.send({ data: `0x600b600c600039600b6000f3${runtime}` });
  await chain.send({ to: factory.contractAddress, gasLimit: 200_000 });
  const recording = await stop('factory');
  const [, call] = await captured(kube, recording);
  expect(call?.created_contracts).toHaveLength(2);
});

it('continues without a gap or a duplicate after the operator ended, at any moment', async () => {
  const chain = await startNetwork('restarts');
  await record('restarts', ['restarts']);
  const hashes: string[] = [];
  for (let life = 0; life < 4; life++) {
    for (let i = 0; i < 5; i++) hashes.push((await pay(chain)).hash);
    await operator.stop();
    for (let i = 0; i < 3; i++) hashes.push((await pay(chain)).hash);
    operator = await startRecordingOperator(kube, { namespace, urls });
    if (life % 2 === 0)
      await operator.reach('restarts', ({ status }) => status?.transactions === hashes.length);
  }
  const recording = await stop('restarts');
  const found = await captured(kube, recording);
  expect(found.map(({ hash }) => hash)).toEqual(hashes);
});

it('drops what a reorg removed, and captures what replaced it', async () => {
  const chain = await startNetwork('reorg');
  await record('reorg', ['reorg']);
  const kept = await pay(chain);
  const snapshot = await chain.provider.send('evm_snapshot', []);
  for (let i = 0; i < 3; i++) await pay(chain);
  await operator.reach('reorg', ({ status }) => status?.transactions === 4);
  await chain.provider.send('evm_revert', [snapshot]);
  const instead = await chain.send({ to: stranger, value: 7n });
  const recording = await stop('reorg');
  const found = await captured(kube, recording);
  expect(found.map(({ hash }) => hash)).toEqual([kept.hash, instead.hash]);
  expect(recording.status).toMatchObject({ transactions: 2, conditions: [{ reason: 'Recorded' }] });
});

it('continues when the chain was rolled back past the start of the recording', async () => {
  const chain = await startNetwork('deep');
  const snapshot = await chain.provider.send('evm_snapshot', []);
  await pay(chain);
  await record('deep', ['deep']);
  await pay(chain);
  await operator.reach('deep', ({ status }) => status?.transactions === 1);
  await chain.provider.send('evm_revert', [snapshot]);
  // The chain's clock is back at the snapshot: by timestamp, new blocks may be older than the recording.
  const after = await chain.send({ to: stranger, value: 5n });
  const recording = await stop('deep');
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([after.hash]);
});

it('a network that starts a new chain is marked, and what was captured stays', async () => {
  const chain = await startNetwork('reset');
  await record('reset', ['reset', 'plain']);
  const paid = await pay(chain);
  await operator.reach('reset', ({ status }) => status?.transactions === 1);
  const next = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  chains.push(next);
  urls.set('reset', next.url);
  const published = await publishedAt(next.url);
  await setNetwork(kube, { name: 'reset', namespace }, { enclaveID: 'second', ...published });
  await operator.reach('reset', ({ status }) => status?.networks?.[0]?.state === 'recorded');
  await pay(next);
  const recording = await stop('reset');
  expect(recording.status?.networks).toMatchObject([
    { state: 'recorded', message: expect.stringContaining('began a new chain'), transactions: 1 },
    { state: 'recorded', transactions: 0 },
  ]);
  expect(recording.status?.conditions).toMatchObject([{ status: 'False', reason: 'Interrupted' }]);
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([paid.hash]);
});

it('a network that keeps its chain while another of its nodes is replaced is recorded on', async () => {
  const chain = await startNetwork('nodes');
  const participants = [{ count: 2 }];
  const spec = { chain: { ethereum: { participants } } };
  await kube.patch(networkType, { name: 'nodes', namespace }, { spec });
  await record('nodes', ['nodes']);
  const before = await pay(chain);
  await operator.reach('nodes', ({ status }) => status?.transactions === 1);
  await setNetwork(kube, { name: 'nodes', namespace }, { state: 'Pending', enclaveID: 'second' });
  await setNetwork(kube, { name: 'nodes', namespace }, { state: 'Operational' });
  const after = await pay(chain);
  const { status } = await operator.reach('nodes', (one) => one.status?.transactions === 2);
  expect(status?.networks).toMatchObject([{ state: 'recording', enclaveID: 'second' }]);
  const recording = await stop('nodes');
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([before.hash, after.hash]);
});

it('nothing of a process is read before the network says which chain it runs', async () => {
  const chain = await startNetwork('sudden');
  await record('sudden', ['sudden']);
  await pay(chain);
  await operator.reach('sudden', ({ status }) => status?.transactions === 1);
  const next = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum, seed: '00abcdef01' });
  chains.push(next);
  await pay(next);
  urls.set('sudden', next.url);
  const waiting = await operator.reach('sudden', (one) =>
    Boolean(one.status?.networks?.[0]?.message?.includes('has just started')),
  );
  expect(waiting.status).toMatchObject({ transactions: 1, networks: [{ state: 'recording' }] });
  const published = await publishedAt(next.url);
  await setNetwork(kube, { name: 'sudden', namespace }, { enclaveID: 'second', ...published });
  const { status } = await operator.reach('sudden', (one) => one.status?.networks?.[0]?.state === 'recorded');
  expect(status?.networks).toMatchObject([{ message: expect.stringContaining('began a new chain') }]);
  expect(await captured(kube, await stop('sudden'))).toHaveLength(1);
});

it('a new fork is told from a reorg although it shares block 0', async () => {
  const source = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  chains.push(source);
  await pay(source);
  const startFork = async () => {
    const fork = { url: source.url, blockHeight: '1' };
    const chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum, fork });
    chains.push(chain);
    urls.set('fork', chain.url);
    return chain;
  };
  const before = await startFork();
  await createRunningNetwork(kube, { name: 'fork', namespace }, await publishedAt(before.url));
  await record('fork', ['fork']);
  const paid = await pay(before);
  await operator.reach('fork', ({ status }) => status?.transactions === 1);
  const next = await startFork();
  await next.send({ to: stranger, value: 2n });
  const published = await publishedAt(next.url);
  await setNetwork(kube, { name: 'fork', namespace }, { enclaveID: 'second', ...published });
  const { status } = await operator.reach('fork', (one) => one.status?.networks?.[0]?.state === 'recorded');
  expect(status?.networks).toMatchObject([{ message: expect.stringContaining('began a new chain') }]);
  expect((await captured(kube, await stop('fork'))).map(({ hash }) => hash)).toEqual([paid.hash]);
});

it('goes back at once when another process of the same chain lacks its last blocks', async () => {
  const chain = await startNetwork('restored');
  await record('restored', ['restored']);
  const kept = await pay(chain);
  const snapshot = await chain.provider.send('evm_snapshot', []);
  await pay(chain);
  await operator.reach('restored', ({ status }) => status?.transactions === 2);
  // As after a crash: the process is another one for the cluster, and its chain is that of its last save.
  await setNetwork(
    kube,
    { name: 'restored', namespace },
    { instance: { pod: 'p-1', restarts: 1, process: '0x01' } },
  );
  await chain.provider.send('evm_revert', [snapshot]);
  const after = await chain.send({ to: stranger, value: 9n });
  const { instance } = await publishedAt(chain.url);
  await setNetwork(kube, { name: 'restored', namespace }, { instance: { ...instance, restarts: 1 } });
  const recording = await stop('restored');
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([kept.hash, after.hash]);
});

it('a deleted network is marked; one that stops and wakes with the same chain continues', async () => {
  const chain = await startNetwork('gone');
  await record('gone', ['gone']);
  await pay(chain);
  await operator.reach('gone', ({ status }) => status?.transactions === 1);
  await setNetwork(kube, { name: 'gone', namespace }, { state: 'Pending' });
  const waiting = await operator.reach(
    'gone',
    ({ status }) => status?.conditions?.[0]?.reason === 'Interrupted',
  );
  expect(waiting.status?.networks).toMatchObject([
    { state: 'recording', message: expect.stringContaining('Pending') },
  ]);
  await setNetwork(kube, { name: 'gone', namespace }, { state: 'Operational' });
  await operator.reach('gone', ({ status }) => status?.conditions?.[0]?.reason === 'Recording');
  await kube.delete(networkType, { namespace, name: 'gone' });
  const { status } = await operator.reach('gone', (one) => one.status?.networks?.[0]?.state === 'recorded');
  expect(status?.networks).toMatchObject([{ message: expect.stringContaining('was deleted') }]);
});

it('starts with the first block of a network that is created later', async () => {
  const recording = aRecording({ name: 'early', namespace, spec: { networks: ['late'] } });
  const { uid: _, creationTimestamp: __, ...metadata } = recording.metadata;
  const userAddress = chains[0]?.wallet.address ?? '';
  await kube.create(recordingType, { ...recording, metadata, spec: { ...recording.spec, userAddress } });
  await operator.reach('early', ({ status }) => status?.networks?.[0]?.state === 'waiting');
  const chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  chains.push(chain);
  const paid = await pay(chain);
  urls.set('late', chain.url);
  await createRunningNetwork(kube, { name: 'late', namespace }, await publishedAt(chain.url));
  await operator.reach('early', ({ status }) => status?.transactions === 1);
  const found = await captured(kube, await stop('early'));
  expect(found).toMatchObject([{ hash: paid.hash, block: 1 }]);
});

it('misses nothing that was sent while the operator was away, from the start on', async () => {
  const chain = await startNetwork('away');
  await pay(chain);
  const hashes: string[] = [];
  await withoutOperator(async () => {
    await create('away', ['away'], { start: [await headNow('away')] });
    for (let i = 0; i < 3; i++) hashes.push((await pay(chain)).hash);
  });
  hashes.push((await pay(chain)).hash);
  const recording = await stop('away');
  expect(recording.status?.networks).toMatchObject([{ firstBlock: 2, lastBlock: 5 }]);
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual(hashes);
});

it('misses nothing of a recording that kubectl created while the operator was away', async () => {
  const chain = await startNetwork('applied');
  const hashes: string[] = [];
  const later = async () => (await kube.serverTimeMs()) + 60_000;
  await withoutOperator(async () => {
    await create('applied', ['applied']);
    for (let i = 0; i < 3; i++) hashes.push((await pay(chain)).hash);
  }, later);
  const recording = await stop('applied');
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual(hashes);
});

it('misses nothing of a network whose node did not answer at the start', async () => {
  const chain = await startNetwork('mute');
  urls.delete('mute');
  const later = async () => (await kube.serverTimeMs()) + 60_000;
  await withoutOperator(() => create('mute', ['mute']), later);
  await operator.reach('mute', ({ status }) => status?.networks?.[0]?.message !== undefined);
  const paid = await pay(chain);
  urls.set('mute', chain.url);
  const recording = await stop('mute');
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([paid.hash]);
});

it('ends with the chain that it was started on, also if that was reset while the operator was away', async () => {
  const chain = await startNetwork('lost');
  await withoutOperator(async () => {
    await create('lost', ['lost'], { start: [await headNow('lost')] });
    await pay(chain);
    const next = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum, seed: '00abcdef02' });
    chains.push(next);
    urls.set('lost', next.url);
    const published = await publishedAt(next.url);
    await setNetwork(kube, { name: 'lost', namespace }, { enclaveID: 'second', ...published });
    await pay(next);
  });
  const recording = await stop('lost');
  expect(recording.status?.networks).toMatchObject([
    {
      state: 'recorded',
      transactions: 0,
      message:
        'the network has another chain than the one that spec.start names: to record it, leave spec.start out of a new recording; no transaction was captured',
    },
  ]);
  expect(recording.status?.conditions).toMatchObject([{ status: 'False', reason: 'Interrupted' }]);
  expect(await captured(kube, recording)).toEqual([]);
});

it('ends with the head at its stop, even if the operator was away then', async () => {
  const chain = await startNetwork('stopped');
  await record('stopped', ['stopped']);
  const paid = await pay(chain);
  await withoutOperator(async () => {
    const spec = { stopped: true, end: [await headNow('stopped')] };
    await kube.patch(recordingType, { namespace, name: 'stopped' }, { spec });
    await pay(chain);
  });
  const recording = await operator.reach('stopped', isRecorded);
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([paid.hash]);
});

it('keeps what an operator captured before it died, if the network is gone before another one comes', async () => {
  const chain = await startNetwork('crashed');
  const begun = await record('crashed', ['crashed']);
  const paid = await pay(chain);
  await operator.reach('crashed', ({ status }) => status?.transactions === 1);
  await withoutOperator(async () => {
    const { networks } = begun.status ?? {};
    await kube.patch(recordingType, { namespace, name: 'crashed' }, { status: { networks } }, 'status');
    await kube.delete(networkType, { namespace, name: 'crashed' });
  });
  const recording = await stop('crashed');
  expect(recording.status?.networks).toMatchObject([
    {
      transactions: 1,
      chunks: 1,
      message: 'the network was deleted; the transactions up to block 1 are kept, and none after it',
    },
  ]);
  expect((await captured(kube, recording)).map(({ hash }) => hash)).toEqual([paid.hash]);
});

it('the heads at the start and at the stop cannot be changed', async () => {
  await startNetwork('fixed');
  const start = [await headNow('fixed')];
  await create('fixed', ['fixed'], { start });
  const ref = { namespace, name: 'fixed' };
  const change = (spec: object) => kube.patch(recordingType, ref, { spec });
  const others = start.map((head) => ({ ...head, block: head.block + 1 }));
  await expect(change({ start: others })).rejects.toThrow('spec.start is immutable');
  await expect(change({ start: null })).rejects.toThrow('spec.start is immutable');
  await change({ stopped: true, end: start });
  await expect(change({ end: others })).rejects.toThrow('spec.end is immutable');
});

it('a network that hangs does not block the others, nor the end of the recording', async () => {
  const chain = await startNetwork('lively');
  await startNetwork('hangs');
  await record('mixed', ['lively', 'hangs']);
  urls.delete('hangs');
  await pay(chain);
  const { status } = await operator.reach('mixed', (one) => one.status?.networks?.[1]?.message !== undefined);
  expect(status?.networks?.[1]?.message).toContain('cannot be reached');
  await operator.reach('mixed', (one) => one.status?.transactions === 1);
});

it('networks of other families are refused in the condition', async () => {
  const { uid: _, ...metadata } = aRecording({ name: 'rune', namespace }).metadata;
  const spec = { chain: { type: 'Thorchain', thorchain: {} } } as const;
  const network = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', metadata, spec } as const;
  await kube.create(networkType, { ...network, metadata: { name: 'rune', namespace } });
  const { metadata: named, ...rest } = aRecording({ name: 'rune', namespace, spec: { networks: ['rune'] } });
  await kube.create(recordingType, { ...rest, metadata: { name: named.name, namespace } });
  const { status } = await operator.reach(
    'rune',
    (one) => one.status?.conditions?.[0]?.reason === 'Interrupted',
  );
  expect(status?.message).toContain('Thorchain networks cannot be recorded');
});
