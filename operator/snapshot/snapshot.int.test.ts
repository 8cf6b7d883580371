import { randomBytes } from 'node:crypto';
import { networkType, snapshotType } from '../../core/api/resources/resources.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { partBytes } from './parts.ts';
import {
  aDump,
  createNetwork,
  createSnapshot,
  isIn,
  partsOf,
  startSnapshotOperator,
  storedBytes,
} from './testing/operator.ts';

const kube = createTestKube();
const mib = 1024 * 1024;
const dumps = new Map<string, Buffer | (() => Promise<Buffer>)>();
let namespace = '';
let operator: Awaited<ReturnType<typeof startSnapshotOperator>>;

async function start(quota = {}) {
  operator = await startSnapshotOperator({
    kube,
    namespace,
    quota,
    dumpOf(uid) {
      const dump = dumps.get(uid);
      return typeof dump === 'function' ? dump() : dump;
    },
  });
}

beforeEach(async () => {
  namespace = `snap-${randomBytes(4).toString('hex')}`;
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});
afterEach(() => operator.stop());
afterAll(() => kube.close());

const at = (name: string) => ({ namespace, name });
const take = (name: string, network = 'net') => createSnapshot(kube, at(name), network);

async function network(dump: Buffer | (() => Promise<Buffer>), status = {}, spec = {}): Promise<void> {
  const { metadata } = await createNetwork(kube, at('net'), status, spec);
  dumps.set(metadata.uid, dump);
}

it('a snapshot that kubectl applies is Ready with all its parts, which belong to it alone', async () => {
  await start();
  const dump = aDump(partBytes + 1000);
  await network(dump, { enclaveID: 'second', chainID: '424242', fork: { incarnation: 'x', block: '99' } });
  await take('one');
  const ready = await operator.reach('one', isIn('Ready'));
  expect(ready.status).toMatchObject({
    block: 7,
    bytes: dump.length,
    parts: 2,
    chainID: '424242',
    enclaveID: 'second',
    forkBlock: '99',
    chainType: 'Ethereum',
    message: `block 7, ${dump.length} bytes`,
    conditions: [{ type: 'Ready', status: 'True', reason: 'Stored' }],
  });
  expect((await storedBytes(kube, ready)).equals(dump)).toBe(true);
  for (const { metadata, immutable } of await partsOf(kube, ready)) {
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Snapshot', uid: ready.metadata.uid }]);
    expect(immutable).toBe(true);
  }
});

it('a snapshot waits for its network, says how to help, and is taken when the network runs', async () => {
  await start();
  await take('one');
  const absent = await operator.reach('one', isIn('Pending'));
  expect(absent.status?.message).toBe('the network "net" does not exist in this workspace: create it');
  await network(aDump(1000), { state: 'Stopped' });
  const stopped = await operator.reach('one', ({ status }) => status?.message?.includes('Stopped') ?? false);
  expect(stopped.status?.message).toMatch(/taken when it is Operational: wake it$/);
  await kube.patch(networkType, at('net'), { status: { state: 'Operational' } }, 'status');
  await operator.reach('one', isIn('Ready'));
});

it('a network that does not run on anvil has no snapshots, and the reason says so', async () => {
  await start();
  const participants = [{ count: 1 }];
  await network(
    aDump(1000),
    {},
    { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, participants } } },
  );
  await take('one');
  const { status } = await operator.reach('one', isIn('Failed'));
  expect(status?.conditions).toMatchObject([{ status: 'False', reason: 'NotSupported' }]);
  expect(status?.message).toMatch(/with participants are not possible/);
});

it.each([
  ['the size of one', { snapshotMiB: 1 }, [1.5], 'TooLarge', 'quota.snapshotMiB'],
  [
    'the size of all',
    { workspaceSnapshotsMiB: 2 },
    [1.2, 1.2],
    'QuotaExceeded',
    'quota.workspaceSnapshotsMiB',
  ],
  ['the number', { snapshots: 1 }, [0.1, 0.1], 'QuotaExceeded', 'quota.snapshots'],
])(
  '%s has a budget, which the message names; nothing is stored beyond it',
  async (_name, quota, sizes, reason, value) => {
    await start(quota);
    await network(async () => aDump((sizes.at(-1) ?? 0) * mib));
    for (const index of sizes.slice(1).keys()) {
      await take(`fits-${index}`);
      await operator.reach(`fits-${index}`, isIn('Ready'));
    }
    await take('last');
    const failed = await operator.reach('last', isIn('Failed'));
    expect(failed.status?.conditions).toMatchObject([{ reason }]);
    expect(failed.status?.message).toContain(value);
    expect(await partsOf(kube, failed)).toEqual([]);
  },
);

it('the budget is not exceeded by snapshots that are requested together', async () => {
  await start({ workspaceSnapshotsMiB: 2 });
  await network(async () => aDump(0.9 * mib));
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => take(name)));
  const ends = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      operator.reach(name, (one) => isIn('Ready')(one) || isIn('Failed')(one)),
    ),
  );
  expect(ends.map(({ status }) => status?.state).sort()).toEqual(['Failed', 'Failed', 'Ready', 'Ready']);
});

it('a dump of a chain that ended meanwhile is thrown away', async () => {
  await start();
  let asked = 0;
  await network(async () => {
    asked += 1;
    if (asked > 1) return aDump(1000, asked);
    await kube.patch(networkType, at('net'), { status: { enclaveID: 'second' } }, 'status');
    await operator.caches.networks.waitFor(({ status }) => status?.enclaveID === 'second', {
      timeoutMs: 120_000,
    });
    return aDump(1000, asked);
  });
  await take('one');
  const ready = await operator.reach('one', isIn('Ready'));
  expect(ready.status).toMatchObject({ enclaveID: 'second', block: 2 });
});

it('an engine that answers something else is asked again', async () => {
  await start();
  let asked = 0;
  await network(async () => {
    asked += 1;
    return asked === 1 ? Buffer.from('nonsense') : aDump(1000);
  });
  await take('one');
  await operator.reach('one', ({ status }) => status?.message?.endsWith('it is tried again') ?? false);
  await operator.reach('one', isIn('Ready'));
});

it('the network of a snapshot is immutable', async () => {
  await start();
  await take('one');
  await expect(kube.patch(snapshotType, at('one'), { spec: { network: 'other' } })).rejects.toThrow(
    'spec.network is immutable',
  );
});
