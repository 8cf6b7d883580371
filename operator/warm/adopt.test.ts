import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { configMapType, coreEventType, podType, serviceType } from '../../core/kube/types.ts';
import { AppError } from '../../core/lib/errors.ts';
import { anInstallation, readyStatus, someEngines } from '../network/testing/facts.ts';
import { aKeySecret, type RunningOperator, startOperator } from '../network/testing/operator.ts';
import { createPools, type Pools } from './pools.ts';
import {
  createLaunchers,
  createTestWarmth,
  createWaitingPod,
  type Launchers,
  modelForTests,
} from './testing/launchers.ts';
import { secretFor } from './waitingPod.ts';

const namespace = 'ws';
const keys = aKeyring('engine key');
const installation = anInstallation();
const limit = { timeoutMs: 120_000 };

let kube: FakeKube;
let operator: RunningOperator;
let launchers: Launchers;
let pools: Pools;
beforeEach(async () => {
  kube = createFakeKube({ isCollectingGarbage: true });
  launchers = createLaunchers();
  pools = createPools();
  await kube.create(secretType, aKeySecret(namespace));
});
afterEach(() => operator.stop());

const start = (others = {}) => {
  operator = startOperator({
    kube,
    namespace,
    deps: { installation, keys: { access: keys, engines: keys, forks: keys }, ...others },
    warm: (deps) => createTestWarmth(deps, launchers, pools),
  });
};

/** A pod that waits, and is ready to be adopted. */
async function wait(name: string, status: object = { ...readyStatus, podIP: '10.0.0.1' }) {
  const pod = await createWaitingPod(kube, { namespace, name, model: modelForTests(), keys });
  await kube.patch(podType, pod.metadata, { status }, 'status');
  return pod;
}

const chainOf = (chainID: string) => ({
  type: 'Ethereum',
  ethereum: { privateKeyRef: { name: 'key' }, chainID },
});
const spec = (more: object = {}) =>
  ({
    chain: chainOf('777'),
    ...more,
  }) as NetworkResource['spec'];
const create = (name = 'net', more = {}) =>
  kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace },
    spec: spec(more),
  });
const operational = (name = 'net') => operator.reach(name, ({ status }) => status?.state === 'Operational');
const podsOf = async ({ metadata }: { metadata: { uid?: string } }) => {
  const { items } = await kube.list(podType, { namespace });
  return items.filter((pod) => pod.metadata.labels?.[labels.network] === metadata.uid);
};
const namesOf = async (network: NetworkResource) =>
  (await podsOf(network)).map(({ metadata }) => metadata.name);

/** Makes the pod ready that a network gets on the cold path. */
async function bootColdPod(name = 'net') {
  const pod = await operator.caches.pods.waitFor(
    ({ metadata }) => metadata.name.startsWith(`${name}-rpc-`),
    limit,
  );
  if (!pod) throw new Error('no pod was created');
  await kube.patch(podType, pod.metadata, { status: readyStatus }, 'status');
}

/** As after a crash of its engine. */
async function restartContainer() {
  const containerStatuses = [{ name: 'rpc', ready: true, restartCount: 1, image: '', imageID: '' }];
  await kube.patch(podType, { namespace, name: 'engine-1' }, { status: { containerStatuses } }, 'status');
}

it('a network is Operational on a pod that waited, which then looks like the pod that it would have got', async () => {
  await wait('engine-1');
  start();
  const { metadata } = await create();
  const network = await operational();
  const [pod, ...others] = await podsOf(network);
  expect([pod?.metadata.name, others]).toEqual(['engine-1', []]);
  expect(pod?.metadata.labels).toEqual({
    'app.kubernetes.io/managed-by': 'slipway',
    'app.kubernetes.io/part-of': 'slipway-network',
    [labels.network]: metadata.uid,
    [labels.part]: 'rpc',
    [labels.incarnation]: expect.stringMatching(/^[0-9a-f]{10}$/),
  });
  expect(pod?.metadata.ownerReferences).toMatchObject([{ kind: 'Network', name: 'net', uid: metadata.uid }]);
  expect(pod?.metadata.annotations).toMatchObject({
    [annotations.maintenance]: '0',
    [annotations.revision]: '0',
    [annotations.adopted]: expect.any(String),
  });
});

it('its plan goes to the launcher of this pod, and its files are not stored a second time', async () => {
  const pod = await wait('engine-1');
  start();
  await create();
  await operational();
  const [[secret, plan] = []] = launchers.plans;
  expect(launchers.plans.size).toBe(1);
  expect(secret).toBe(secretFor(pod, keys));
  expect(plan?.args).toContain('777');
  expect((await kube.list(configMapType, { namespace })).items).toEqual([]);
});

it('its Service selects the adopted pod, and never one that waits', async () => {
  await wait('engine-1');
  await wait('engine-2');
  start();
  const network = await create();
  await operational();
  const [service] = (await kube.list(serviceType, { namespace })).items;
  const { items } = await kube.list(podType, { namespace });
  const selected = items.filter(({ metadata }) =>
    Object.entries(service?.spec.selector ?? {}).every(([key, value]) => metadata.labels?.[key] === value),
  );
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(await namesOf(network));
});

it('the status is Pending until the engine has answered, though the pod is ready', async () => {
  launchers.outcome = 'silent';
  await wait('engine-1');
  start();
  await create();
  const { status } = await operator.reach(
    'net',
    (network) => network.status?.message === 'the engine is starting',
  );
  expect(status?.state).toBe('Pending');
  launchers.outcome = 'answered';
  await operational();
});

it('its Events name every step of its start', async () => {
  await wait('engine-1');
  start();
  await create();
  await operational();
  const steps = async () => {
    const { items } = await kube.list(coreEventType, { namespace });
    return items.flatMap(({ message }) => numbersIn(message)).sort();
  };
  // Events are written after what they report.
  while ((await steps()).length < 4) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await steps()).toEqual([1, 2, 3, 4]);
});

/** Steps that were reached at once are in one Event: `steps 2 to 3 of 4`, and the last ones in that of the state. */
function numbersIn(message: string): number[] {
  const [, first, last = first] = /(?:^|; )steps? (\d+)(?: to (\d+))? of/.exec(message) ?? [];
  if (first === undefined) return [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
}

it('networks that start at the same time never share a pod', async () => {
  await wait('engine-1');
  await wait('engine-2');
  start();
  const networks = await Promise.all(
    ['a', 'b', 'c'].map((name, index) => create(name, { chain: chainOf(String(800 + index)) })),
  );
  const cold = await operator.caches.pods.waitFor(({ metadata }) => /^[abc]-rpc-/.test(metadata.name), limit);
  await kube.patch(podType, cold?.metadata ?? { name: '' }, { status: readyStatus }, 'status');
  await Promise.all(['a', 'b', 'c'].map((name) => operational(name)));
  const pods = (await Promise.all(networks.map(podsOf))).flat();
  const names = pods.map(({ metadata }) => metadata.name).sort();
  expect(names).toEqual([cold?.metadata.name, 'engine-1', 'engine-2'].sort());
  expect(launchers.plans.size).toBe(2);
});

it.each<[string, () => Promise<unknown>]>([
  ['there is none', async () => undefined],
  ['it is not ready yet', () => wait('engine-1', { phase: 'Pending' })],
  [
    'another network was faster',
    async () => {
      await wait('engine-1');
      kube.failNext({ verb: 'patch', name: 'engine-1', error: new AppError('Conflict', 'changed') });
    },
  ],
  [
    'it is of a former image',
    async () => {
      const former = modelForTests(someEngines({ 'evm-dev': 'evm-dev:0' }));
      const pod = await createWaitingPod(kube, { namespace, name: 'engine-1', model: former, keys });
      await kube.patch(podType, pod.metadata, { status: { ...readyStatus, podIP: '10.0.0.1' } }, 'status');
    },
  ],
  [
    'somebody else made it',
    async () => {
      const others = aKeyring('a key of somebody else');
      const pod = await createWaitingPod(kube, {
        namespace,
        name: 'engine-1',
        model: modelForTests(),
        keys: others,
      });
      await kube.patch(podType, pod.metadata, { status: { ...readyStatus, podIP: '10.0.0.1' } }, 'status');
    },
  ],
  [
    'pods that wait make room',
    async () => {
      await wait('engine-1');
      pools.pause(namespace, Date.now());
    },
  ],
])('a network gets a pod of its own when %s', async (_why, prepare) => {
  await prepare();
  start();
  const network = await create();
  await bootColdPod();
  await operational();
  expect(await namesOf(network)).toEqual([expect.stringMatching(/^net-rpc-/)]);
  expect(launchers.plans.size).toBe(0);
});

it('a network gets a pod of its own where pods do not wait', async () => {
  await wait('engine-1');
  start({ installation: anInstallation({ warmEngines: { enabled: false } }) });
  const network = await create();
  await bootColdPod();
  await operational();
  expect(await namesOf(network)).toEqual([expect.stringMatching(/^net-rpc-/)]);
});

it('a persistent network gets a pod with its volume', async () => {
  await wait('engine-1');
  start();
  const network = await create('net', { persistent: true });
  await bootColdPod();
  await operational();
  expect(await namesOf(network)).toEqual([expect.stringMatching(/^net-rpc-/)]);
});

it('a pod whose launcher refuses is replaced by one of the network', async () => {
  launchers.outcome = 'refused';
  await wait('engine-1');
  await wait('engine-2');
  start();
  const network = await create();
  await bootColdPod();
  await operational();
  expect(await namesOf(network)).toEqual([expect.stringMatching(/^net-rpc-/)]);
  expect(await kube.get(podType, { namespace, name: 'engine-1' })).toBeUndefined();
});

it.each([
  ['is replaced when its engine has not answered for a minute', -61_000, true],
  ['is given a minute after its container has started again', -5_000, false],
])('an adopted pod %s', async (_what, sinceMs, isReplaced) => {
  launchers.outcome = 'silent';
  const startedAt = new Date(Date.now() + sinceMs).toISOString();
  const running = { name: 'rpc', ready: true, restartCount: 1, state: { running: { startedAt } } };
  await wait('engine-1', { ...readyStatus, podIP: '10.0.0.1', containerStatuses: [running] });
  start();
  await create();
  await operator.reach('net', ({ status }) => status?.message === 'the engine is starting');
  const adopted = { [annotations.adopted]: new Date(Date.now() - 3_600_000).toISOString() };
  await kube.patch(podType, { namespace, name: 'engine-1' }, { metadata: { annotations: adopted } });
  const before = launchers.launches;
  // The second launch that begins from now on sees what has changed.
  while (!isReplaced && launchers.launches < before + 2)
    await new Promise((resolve) => setTimeout(resolve, 1));
  launchers.outcome = isReplaced ? 'silent' : 'answered';
  if (isReplaced) await bootColdPod();
  await operational();
  const kept = await kube.get(podType, { namespace, name: 'engine-1' });
  expect(kept === undefined).toBe(isReplaced);
});

it('a network wakes up on a pod that waited', async () => {
  await wait('engine-1');
  start();
  const network = await create();
  await operational();
  const idle = { status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } };
  await kube.patch(networkType, network.metadata, idle, 'status');
  await operator.reach('net', ({ status }) => status?.state === 'Stopped');
  await wait('engine-2');
  await kube.patch(networkType, network.metadata, {
    metadata: { annotations: { [annotations.wake]: 'now' } },
  });
  await operational();
  expect(await namesOf(network)).toEqual(['engine-2']);
});

it('a ResetState continues on another pod, and the former one is deleted', async () => {
  await wait('engine-1');
  await wait('engine-2');
  start();
  const network = await create();
  await operational();
  const [before] = await namesOf(network);
  const request = { spec: { maintenanceRequest: { action: 'ResetState', nonce: 1 } } };
  await kube.patch(networkType, network.metadata, request);
  await operator.reach('net', ({ status }) => status?.observedMaintenanceNonce === 1);
  const [after, ...others] = await namesOf(network);
  expect([others, after === before]).toEqual([[], false]);
  expect(await kube.get(podType, { namespace, name: before ?? '' })).toBeUndefined();
});

it('an adopted pod that is gone is replaced by the next one', async () => {
  await wait('engine-1');
  start();
  const network = await create();
  const { status } = await operational();
  await wait('engine-2');
  await kube.delete(podType, { namespace, name: 'engine-1' });
  await operator.reach(
    'net',
    (next) => next.status?.state === 'Operational' && next.status.enclaveID !== status?.enclaveID,
  );
  expect(await namesOf(network)).toEqual(['engine-2']);
});

it('an adopted engine that crashed is asked again before its network is Operational', async () => {
  await wait('engine-1');
  start();
  await create();
  const { status } = await operational();
  launchers.plans.clear();
  await restartContainer();
  await operator.reach(
    'net',
    (next) => next.status?.state === 'Operational' && next.status.enclaveID !== status?.enclaveID,
  );
  expect(launchers.plans.size).toBe(1);
});

it('an adopted engine goes on in its pod when the key of its launcher was removed', async () => {
  await wait('engine-1');
  start();
  await create();
  const { status } = await operational();
  await operator.stop();
  const later = aKeyring('the next engine key');
  start({ keys: { access: keys, engines: later, forks: keys } });
  await restartContainer();
  await operator.reach(
    'net',
    (next) => next.status?.state === 'Operational' && next.status.enclaveID !== status?.enclaveID,
  );
  expect(await kube.get(podType, { namespace, name: 'engine-1' })).toBeDefined();
});

it('pods that wait make room for a network that does not fit in the quota, which then starts', async () => {
  await wait('engine-1', { phase: 'Pending' });
  start();
  let isFull = true;
  const refusal =
    'pods "x" is forbidden: exceeded quota: budget, requested: pods=1, used: pods=1, limited: pods=1';
  kube.intercept(({ verb, kind }) => {
    if (isFull && verb === 'create' && kind === 'Pod') throw new AppError('Forbidden', refusal);
  });
  pools.onChange((changed) => {
    isFull = pools.pausedUntilMs(changed ?? '') === 0;
  });
  await create();
  await bootColdPod();
  await operational();
  expect(isFull).toBe(false);
});
