import { labels } from '../../core/api/names.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import {
  configMapType,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaimType,
  podType,
  serviceType,
} from '../../core/kube/types.ts';
import { AppError } from '../../core/lib/errors.ts';
import { shortHashOf } from '../../core/lib/hash.ts';
import { actOn } from './act.ts';
import { createWorkspaceNamespace, type RunningOperator, startOperator } from './testing/operator.ts';

let kube: FakeKube;
let namespace: string;
let network: Stored<NetworkResource>;
let operator: RunningOperator | undefined;

beforeEach(async () => {
  kube = createFakeKube();
  namespace = await createWorkspaceNamespace(kube);
  network = await kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name: 'net', namespace },
    spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } } },
  });
});
afterEach(async () => {
  await operator?.stop();
  operator = undefined;
});

/** An object with the network's label that the network does not own. */
function foreign(object: Omit<KubeObject, 'metadata'>, name: string, where: string): KubeObject {
  const marks = { [labels.network]: network.metadata.uid };
  return { ...object, metadata: { name, namespace: where, labels: marks } };
}
const map = { apiVersion: 'v1', kind: 'ConfigMap', data: { key: 'theirs' } };
const service = { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ name: 'rpc', port: 1 }] } };
const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'x', image: 'x' }] } };

function start(): RunningOperator {
  operator = startOperator({ kube, namespace, isUnconfined: true });
  return operator;
}
const readyReason = ({ status }: NetworkResource) =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.reason;

it.each<[string, string]>([
  ['another namespace, where the operator has no rights', 'elsewhere'],
  ["the network's own namespace", 'own'],
])("objects with a network's label in %s change nothing and stay", async (_reason, where) => {
  const place = where === 'own' ? namespace : where;
  const objects: [ResourceType, Stored<KubeObject>][] = [
    [configMapType, await kube.create<KubeObject>(configMapType, foreign(map, 'theirs', place))],
    [serviceType, await kube.create<KubeObject>(serviceType, foreign(service, 'theirs', place))],
    [podType, await kube.create<KubeObject>(podType, foreign(pod, 'theirs', place))],
  ];
  kube.intercept(({ namespace: asked }) => {
    if (asked === 'elsewhere') throw new AppError('Forbidden', 'no rights in this namespace');
  });
  const { reach, caches } = start();
  await reach('net', ({ status }) => status?.execution?.currentStep === 3);
  const isEngine = ({ metadata }: Pod) => metadata.ownerReferences?.[0]?.uid === network.metadata.uid;
  const engine = await caches.pods.waitFor(isEngine, { timeoutMs: 120_000 });
  expect(engine?.metadata.namespace).toBe(namespace);
  await operator?.stop();
  const touched = kube.requests.filter(({ namespace: asked }) => asked === 'elsewhere').slice(3);
  expect(touched).toEqual([]);
  if (where !== 'own') return;
  for (const [type, object] of objects) expect(await kube.get(type, object.metadata)).toEqual(object);
});

it("an object of somebody else with a child's name is named in the status, until it is gone", async () => {
  const name = `net-${shortHashOf(network.metadata.uid)}`;
  const theirs = await kube.create<KubeObject>(serviceType, foreign(service, name, namespace));
  const { reach } = start();
  const blocked = await reach('net', (found) => readyReason(found) === 'NameTaken');
  expect(blocked.status).toMatchObject({
    state: 'Error',
    message: expect.stringContaining(`Service ${name}`),
  });
  expect(await kube.get(serviceType, theirs.metadata)).toEqual(theirs);
  await kube.delete(serviceType, theirs.metadata);
  await kube.patch(networkType, network.metadata, { metadata: { labels: { touched: 'yes' } } });
  await reach('net', (found) => readyReason(found) === 'Provisioning');
  const made = await kube.get(serviceType, theirs.metadata);
  expect(made?.metadata.ownerReferences?.[0]?.uid).toBe(network.metadata.uid);
});

it('a pod that a quota refuses is named in the status, with what the quota allows', async () => {
  const message =
    'pods "x" is forbidden: exceeded quota: slipway-budget, requested: pods=1, used: pods=3, limited: pods=3';
  kube.failNext({ verb: 'create', kind: 'Pod', error: new AppError('Forbidden', message) });
  const { reach } = start();
  const blocked = await reach('net', (found) => readyReason(found) === 'QuotaExceeded');
  expect(blocked.status?.state).toBe('Error');
  expect(blocked.status?.message).toMatch(/exceeded quota: slipway-budget.*limited: pods=3.*larger budget/);
});

it("a pod of a plugin that a quota refuses is the plugin's concern alone", async () => {
  const ownerReferences = [
    { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'net', uid: network.metadata.uid },
  ];
  const podOf = (name: string, marks: Record<string, string>): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [{ name: 'x', image: 'x' }] },
    metadata: {
      name,
      namespace,
      ownerReferences,
      labels: { [labels.network]: network.metadata.uid, ...marks },
    },
  });
  kube.intercept(({ name, verb }) => {
    const isRefused = verb === 'create' && name === 'plugin';
    if (isRefused) throw new AppError('Forbidden', 'exceeded quota: slipway-budget, used: pods=3');
  });
  const desired = [podOf('plugin', { [labels.plugin]: 'vrf' }), podOf('chain', {})];
  const acted = await actOn(kube, { desired, observed: [], network });
  expect(acted.failure).toBeUndefined();
  expect(acted.pluginFailure?.message).toMatch(/Pod plugin does not fit in the budget/);
  expect(await kube.get(podType, { namespace, name: 'chain' })).toBeDefined();
});

describe('a volume', () => {
  const own = () => ({
    namespace,
    labels: { [labels.network]: network.metadata.uid },
    ownerReferences: [
      { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'net', uid: network.metadata.uid },
    ],
  });
  const claim = (): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: {},
    metadata: { ...own(), name: 'data' },
  });
  const mounting = (): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...own(), name: 'engine' },
    spec: {
      containers: [{ name: 'x', image: 'x' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });

  it('that is not wanted any more is deleted only when no pod mounts it', async () => {
    const volume = await kube.create(persistentVolumeClaimType, claim());
    const engine = await kube.create(podType, mounting());
    await actOn(kube, { desired: [], observed: [volume, engine], network });
    expect(await kube.get(podType, engine.metadata)).toBeUndefined();
    expect(await kube.get(persistentVolumeClaimType, volume.metadata)).toBeDefined();
    await actOn(kube, { desired: [], observed: [volume], network });
    expect(await kube.get(persistentVolumeClaimType, volume.metadata)).toBeUndefined();
  });

  it('that somebody deleted under its pod is not looked at all the time', async () => {
    const volume = await kube.create(persistentVolumeClaimType, claim());
    const engine = await kube.create(podType, mounting());
    const ending = { ...volume, metadata: { ...volume.metadata, deletionTimestamp: '2030-01-02T03:04:05Z' } };
    const desired = [claim(), mounting()];
    const isSettled = async (observed: (typeof ending | typeof engine)[]) =>
      (await actOn(kube, { desired, observed, network })).isSettled;
    expect(await isSettled([ending, engine])).toBe(true);
    expect(await isSettled([ending])).toBe(false);
  });
});
