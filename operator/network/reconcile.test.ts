import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { type Pod, podType } from '../../core/kube/types.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { NetworkDeps } from './deps.ts';
import { aKeySecret, type RunningOperator, startOperator } from './testing/operator.ts';

const namespace = 'ws';
const name = 'net';
const spec = (ethereum: object = {}) => ({
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '777', ...ethereum } },
});

let kube: FakeKube;
let operator: RunningOperator;
let calls: string[];

async function start(deps: Partial<NetworkDeps> = {}): Promise<void> {
  calls = [];
  kube = createFakeKube();
  await kube.create(secretType, aKeySecret(namespace));
  operator = startOperator({
    kube,
    namespace,
    deps,
    answer(method) {
      calls.push(method);
      return method === 'eth_blockNumber' ? '0x29' : null;
    },
  });
}

afterEach(() => operator.stop());

const create = () =>
  kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace },
    spec: spec() as NetworkResource['spec'],
  });
const change = (ethereum: object) => kube.patch(networkType, { namespace, name }, { spec: spec(ethereum) });

/** Makes the pod of the network's current chain ready, once it exists. */
async function boot(former?: string): Promise<string> {
  const pod = await operator.caches.pods.waitFor(
    ({ metadata }) => metadata.uid !== former && metadata.labels?.[labels.part] === 'rpc',
    { timeoutMs: 120_000 },
  );
  if (!pod) throw new Error('no pod was created');
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await kube.patch(podType, { namespace, name: pod.metadata.name }, { status }, 'status');
  return pod.metadata.uid ?? '';
}

const reach = (isFit: (status: NonNullable<NetworkResource['status']>) => boolean) =>
  operator.reach(name, ({ status }) => status !== undefined && isFit(status));

it('gives a changed block time to the running engine', async () => {
  await start();
  await create();
  await boot();
  const { status: before } = await reach(({ state }) => state === 'Operational');
  await change({ blockTime: 4 });
  const { status } = await reach(({ chainSpecHash }) => chainSpecHash !== before?.chainSpecHash);
  expect(calls).toEqual(expect.arrayContaining(['evm_setBlockGasLimit', 'evm_setIntervalMining']));
  expect(status).toMatchObject({ state: 'Operational', enclaveID: before?.enclaveID });
});

it('asks a chain for its last block before a changed spec ends it', async () => {
  await start();
  await create();
  const uid = await boot();
  const { status: before } = await reach(({ state }) => state === 'Operational');
  await change({ chainID: '778' });
  await boot(uid);
  const { status } = await reach(({ state, chainID }) => state === 'Operational' && chainID === '778');
  expect(status?.previousChain).toMatchObject({ enclaveID: before?.enclaveID, lastBlock: 41 });
});

it('replaces the pod for a Restart, when its engine cannot start', async () => {
  await start();
  await create();
  const uid = await boot();
  await reach(({ state }) => state === 'Operational');
  const [pod] = operator.caches.pods.list();
  const waiting = { reason: 'CrashLoopBackOff' };
  const engine = {
    name: 'rpc',
    ready: false,
    restartCount: 3,
    state: { waiting },
    lastState: { terminated: { exitCode: 1 } },
  };
  const status = { conditions: [{ type: 'Ready', status: 'False' }], containerStatuses: [engine] };
  await kube.patch(podType, { namespace, name: pod?.metadata.name ?? '' }, { status }, 'status');
  await reach(({ state }) => state === 'Error');
  const maintenanceRequest = { action: 'Restart', nonce: 3 };
  await kube.patch(networkType, { namespace, name }, { spec: { maintenanceRequest } });
  await boot(uid);
  await reach(
    ({ state, observedMaintenanceNonce }) => state === 'Operational' && observedMaintenanceNonce === 3,
  );
});

it('asks an engine to restart once the outcome of its last transactions is stored', async () => {
  let lastUnsettledMs: number | undefined;
  await start({ lastUnsettledMs: () => lastUnsettledMs });
  await create();
  await boot();
  await reach(({ state }) => state === 'Operational');
  const asked = () => operator.caches.pods.list().flatMap(({ spec }) => spec.ephemeralContainers ?? []);
  lastUnsettledMs = await kube.serverTimeMs();
  const maintenanceRequest = { action: 'Restart', nonce: 3 };
  await kube.patch(networkType, { namespace, name }, { spec: { maintenanceRequest } });
  await reach(({ reason }) => reason === 'Settling');
  expect(asked()).toEqual([]);
  lastUnsettledMs = undefined;
  await reach(({ reason }) => reason === 'Provisioning');
  const isAsked = ({ spec }: Pod) => (spec.ephemeralContainers ?? []).length > 0;
  expect(await operator.caches.pods.waitFor(isAsked, { timeoutMs: 120_000 })).toBeDefined();
});

it('reports a namespace in which it may not create pods, and continues once it may', async () => {
  await start();
  const message = 'pods is forbidden: User "operator" cannot create resource "pods" in API group ""';
  const end = kube.intercept(async ({ verb, kind }) => {
    if (kind === 'Pod' && verb === 'create') throw new AppError('Forbidden', message);
  });
  await create();
  const { status } = await reach(({ conditions }) => conditions?.[0]?.reason === 'NotPermitted');
  expect(status?.message).toMatch(/^namespace "ws" belongs to no workspace/);
  end();
  await boot();
  await reach(({ state }) => state === 'Operational');
});
