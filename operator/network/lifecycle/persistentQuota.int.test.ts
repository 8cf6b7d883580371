import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { createWorkspaceNamespace, type RunningOperator, startOperator } from '../testing/operator.ts';

const kube = createTestKube();
const names = ['e', 'd', 'c', 'b', 'a'];
let namespace: string;
let operator: RunningOperator;

function aNetwork(name: string): NetworkResource {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace },
    spec: { persistent: true, chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } } },
  };
}

const reasonOf = ({ status }: NetworkResource) =>
  status?.conditions?.find(({ type }) => type === 'Persistent')?.reason;

/** Waits until `isFit` returns true for each network in the operator's cache. */
async function reach(wanted: string[], isFit: (network: NetworkResource) => boolean) {
  for (const name of wanted) await operator.reach(name, isFit);
}

beforeAll(async () => {
  namespace = await createWorkspaceNamespace(kube);
  operator = startOperator({ kube, namespace });
});

afterAll(async () => {
  await operator.stop();
  await kube.close();
});

it('of five persistent networks created at once, three start, and the others start as slots become free', async () => {
  await Promise.all(names.map((name) => kube.create(networkType, aNetwork(name))));
  await reach(names, (network) => reasonOf(network) !== undefined);
  const networks = operator.caches.networks.list();
  const nameOf = ({ metadata }: NetworkResource) => metadata.name;
  const begun = networks.filter((network) => reasonOf(network) === 'WithinQuota').map(nameOf);
  const waiting = networks.filter((network) => reasonOf(network) === 'QuotaExceeded');
  expect([begun.length, waiting.length]).toEqual([3, 2]);
  expect(waiting.map(({ status }) => status?.state)).toEqual(['Error', 'Error']);

  const [first = '', second = ''] = begun;
  await kube.delete(networkType, { namespace, name: first });
  await kube.patch(networkType, { namespace, name: second }, { spec: { persistent: false } });
  await reach(waiting.map(nameOf), (network) => reasonOf(network) === 'WithinQuota');
  await reach(waiting.map(nameOf), ({ status }) => status?.state === 'Pending');
});
