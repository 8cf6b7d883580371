import { networkType, snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { podType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { aNetwork } from './testing/facts.ts';
import { type Node, startNode } from './testing/node.ts';
import { createWorkspaceNamespace, type RunningOperator, startOperator } from './testing/operator.ts';

const kube = createTestKube();
const ready = {
  state: 'Ready',
  chainType: 'Ethereum',
  chainID: '515151',
  block: 5,
  bytes: 9,
  digest: 'd1',
  parts: 1,
};

let namespace: string;
let operator: RunningOperator;
let node: Node;

beforeAll(async () => {
  namespace = await createWorkspaceNamespace(kube);
  operator = startOperator({ kube, namespace });
  node = startNode(kube, operator.caches.pods);
});
afterAll(async () => {
  await operator.stop();
  await node.stop();
  await kube.close();
});

async function createClone(name: string, snapshot: string): Promise<void> {
  const { spec, ...network } = aNetwork();
  await kube.create(networkType, {
    ...network,
    metadata: { name, namespace },
    spec: { ...spec, from: { snapshot } },
  });
}

async function createSnapshot(name: string, status: object): Promise<void> {
  const metadata = { name, namespace };
  const snapshot = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Snapshot',
    metadata,
    spec: { network: 'gone' },
  };
  await kube.create(snapshotType, snapshot as SnapshotResource);
  await kube.patch(snapshotType, metadata, { status }, 'status');
}

it('a clone that is created before its snapshot waits for it, and begins when it is Ready', async () => {
  await createClone('early', 'late');
  await operator.reach('early', ({ status }) => status?.message?.includes('"late" does not exist') ?? false);
  await createSnapshot('late', { state: 'Pending' });
  await operator.reach('early', ({ status }) => status?.message?.includes('is not Ready yet') ?? false);
  await kube.patch(snapshotType, { namespace, name: 'late' }, { status: ready }, 'status');
  const { status } = await operator.reach('early', (one) => one.status?.state === 'Operational');
  expect(status).toMatchObject({ chainID: '515151', from: { snapshot: 'late', digest: 'd1', block: 5 } });
  const [kept] = operator.caches.pods.list();
  const pod = kept && (await kube.get(podType, kept.metadata));
  const volume = pod?.spec.volumes?.find(({ name }) => name === 'snapshot');
  expect(volume?.projected?.sources).toEqual([
    { configMap: { name: `snapshot-${status?.from?.id}-d1-0`, optional: true } },
  ]);
});

it('two clones of one snapshot run with its chain id', async () => {
  await createSnapshot('shared', { ...ready, chainID: '616161' });
  await createClone('first', 'shared');
  await createClone('second', 'shared');
  for (const name of ['first', 'second']) {
    const { status } = await operator.reach(name, (one) => one.status?.state === 'Operational');
    expect(status?.chainID).toBe('616161');
  }
});
