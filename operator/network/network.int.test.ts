import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkState } from '../../core/api/resources/networkStatus.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import { confined } from '../../core/kube/testing/confined.ts';
import {
  type CoreSecret,
  configMapType,
  coreEventType,
  coreSecretType,
  podType,
  serviceType,
} from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  aKeySecret,
  aSealedSecret,
  createWorkspaceNamespace,
  type RunningOperator,
  startOperator,
} from './testing/operator.ts';

const kube = createTestKube();
let namespace: string;

function aNetwork(name: string, ethereum: object = {}): NetworkResource {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace },
    spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, ...ethereum } } },
  };
}

const urlIn = ({ data }: CoreSecret) => Buffer.from(data?.url ?? '', 'base64').toString();

let operator: RunningOperator;

/** Waits until the cache shows the network in `state`. */
const reach = (
  name: string,
  state: NetworkState,
  isFit: (network: NetworkResource) => boolean = () => true,
) => operator.reach(name, (network) => network.status?.state === state && isFit(network));

async function podOf(uid: string | undefined, isFit: (name: string) => boolean = () => true) {
  const fits = ({ metadata }: { metadata: { uid?: string; labels?: Record<string, string> } }) =>
    metadata.labels?.[labels.network] === uid && isFit(metadata.uid ?? '');
  const pod = await operator.caches.pods.waitFor(fits, { timeoutMs: 120_000 });
  const live = pod && (await kube.get(podType, pod.metadata));
  if (!live) throw new Error('no pod was created');
  return live;
}

/** Replaces the kubelet, which a test environment does not have. */
async function setReady(name: string) {
  const status = {
    phase: 'Running',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
  };
  await kube.patch(podType, { namespace, name }, { status }, 'status');
}

beforeAll(async () => {
  namespace = await createWorkspaceNamespace(kube);
  operator = startOperator({ kube, namespace });
});

afterAll(async () => {
  await operator.stop();
  await kube.close();
});

it('a network whose name begins with a digit has its Services, whose names must not', async () => {
  const { metadata } = await kube.create(networkType, aNetwork('1st'));
  const isOwn = (service: { metadata: { labels?: Record<string, string> } }) =>
    service.metadata.labels?.[labels.network] === metadata.uid;
  const service = await operator.caches.services.waitFor(isOwn, { timeoutMs: 60_000 });
  expect(service?.metadata.name).toMatch(/^n-1st-/);
  await kube.delete(networkType, metadata);
});

it('provisions a new network until it is Operational', async () => {
  await kube.create(networkType, aNetwork('first'));
  const pending = await reach('first', 'Pending');
  const pod = await podOf(pending.metadata.uid);
  await setReady(pod.metadata.name);
  const { status } = await reach('first', 'Operational');
  expect(status).toMatchObject({ observedMaintenanceNonce: 0, execution: { currentStep: 4, totalSteps: 4 } });
  expect(status?.chainID).toMatch(/^[0-9]{10}$/);
  expect(status?.lastActivityAt).toBeDefined();
  const selector = { namespace, labelSelector: `${labels.network}=${pending.metadata.uid}` };
  expect((await kube.list(podType, selector)).items).toHaveLength(1);
  expect((await kube.list(serviceType, selector)).items).toHaveLength(1);
  expect((await kube.list(configMapType, selector)).items).toHaveLength(1);
});

it('records an Event for each step and for the resulting state', async () => {
  const fieldSelector = 'involvedObject.name=first';
  const events = async () =>
    (await kube.list(coreEventType, { namespace, fieldSelector })).items.map(
      ({ reason, message }) => `${reason}: ${message}`,
    );
  // Events are written in order in the background, so the last one shows that all exist.
  let found = await events();
  while (!found.some((event) => event.startsWith('Operational'))) {
    await operator.caches.networks.waitFor(() => false, { timeoutMs: 50 });
    found = await events();
  }
  expect(found).toContainEqual(expect.stringMatching(/^Step: steps 1 to 3 of 4: /));
  // The last step has an Event of its own if the engine did not answer at once.
  expect(found).toContainEqual(
    expect.stringMatching(/^(Step|Operational): .*step 4 of 4: wait for the first answer$/),
  );
});

it('writes nothing once everything is up to date', async () => {
  const before = await kube.get(networkType, { namespace, name: 'first' });
  await operator.stop();
  operator = startOperator({ kube, namespace });
  await reach('first', 'Operational');
  await kube.patch(networkType, { namespace, name: 'first' }, { metadata: { labels: { seen: 'yes' } } });
  await operator.caches.networks.waitFor(({ metadata }) => metadata.labels?.seen === 'yes', {
    timeoutMs: 120_000,
  });
  await kube.create(networkType, aNetwork('fence'));
  await reach('fence', 'Pending');
  const after = await kube.get(networkType, { namespace, name: 'first' });
  expect(after?.status).toEqual(before?.status);
});

it('recreates a manually deleted pod with the same name', async () => {
  const network = await reach('first', 'Operational');
  const pod = await podOf(network.metadata.uid);
  await kube.delete(podType, { namespace, name: pod.metadata.name }, { gracePeriodSeconds: 0 });
  const next = await podOf(network.metadata.uid, (uid) => uid !== pod.metadata.uid);
  expect(next.metadata.name).toBe(pod.metadata.name);
  await setReady(next.metadata.name);
  await reach('first', 'Operational', ({ status }) => status?.enclaveID !== network.status?.enclaveID);
});

it('recreates a manually deleted Service', async () => {
  const network = await reach('first', 'Operational');
  const labelSelector = `${labels.network}=${network.metadata.uid}`;
  const [service] = (await kube.list(serviceType, { namespace, labelSelector })).items;
  await kube.delete(serviceType, { namespace, name: service?.metadata.name ?? '' });
  const again = await operator.caches.services.waitFor(
    ({ metadata }) => metadata.name === service?.metadata.name && metadata.uid !== service?.metadata.uid,
    { timeoutMs: 120_000 },
  );
  const live = again && (await kube.get(serviceType, again.metadata));
  expect(live?.spec.selector).toEqual(service?.spec.selector);
});

it('reports a missing secret, and continues on its own once it exists', async () => {
  await kube.create(networkType, aNetwork('waits', { privateKeyRef: { name: 'late' } }));
  const pending = await reach('waits', 'Pending');
  expect(pending.status?.message).toMatch(/secret "late" does not exist/);
  await kube.create(secretType, aKeySecret(namespace, 'late'));
  const pod = await podOf(pending.metadata.uid);
  expect(pod.metadata.namespace).toBe(namespace);
});

it('reports a secret in the wrong format without revealing any of it', async () => {
  const bytes = Buffer.from('this is not a key: it is 33 bytes');
  await kube.create(secretType, aKeySecret(namespace, 'wrong', bytes));
  await kube.create(networkType, aNetwork('unusable', { privateKeyRef: { name: 'wrong' } }));
  const { status } = await reach('unusable', 'Error');
  expect(status?.message).toMatch(/32 raw bytes; this secret holds 33/);
  expect(JSON.stringify(status)).not.toContain('not a key');
});

it('keeps the token of a fork out of pods, status and files', async () => {
  await kube.create(networkType, aNetwork('fork', { forking: { enabled: true } }));
  const pending = await reach('fork', 'Pending');
  const pod = await podOf(pending.metadata.uid);
  const labelSelector = `${labels.network}=${pending.metadata.uid}`;
  const { items: files } = await kube.list(configMapType, { namespace, labelSelector });
  expect(JSON.stringify([pod, files, pending])).not.toContain('/forks/');
  expect(pod.spec.containers[0]?.args?.join(' ')).toContain('--fork-block-number 4321');
  expect(pod.spec.containers[0]?.env).toContainEqual({
    name: 'SLIPWAY_FORK_URL',
    valueFrom: { secretKeyRef: { name: expect.stringMatching(/^fork-fork-/), key: 'url' } },
  });
});

it('a fork whose own source is missing begins once its Secret exists, and shows the URL nowhere', async () => {
  const forking = { enabled: true, sourceRef: { name: 'source' } };
  await kube.create(networkType, aNetwork('own-fork', { forking }));
  const waiting = await reach('own-fork', 'Pending', ({ status }) => status?.message !== undefined);
  expect(waiting.status?.message).toMatch(/forking.sourceRef: secret "source" does not exist/);
  const url = Buffer.from('https://node.example/THE-KEY');
  await kube.create(secretType, aSealedSecret({ namespace, name: 'source' }, 'rpc-url', url));
  const pod = await podOf(waiting.metadata.uid);
  const network = await reach('own-fork', 'Pending', ({ status }) => status?.fork !== undefined);
  const { items } = await kube.list(coreSecretType, { namespace });
  const urls = items.filter(({ metadata }) => metadata.name.startsWith('own-fork-fork-')).map(urlIn);
  expect(urls).toEqual([
    expect.stringMatching(/^http:\/\/forks\/forks\/Ethereum\/[^/]+\/[^/]+\/own\/[A-Za-z0-9_-]+$/),
  ]);
  expect(`${JSON.stringify([pod, network])} ${urls}`).not.toMatch(/THE-KEY|node\.example/);
});

it('replaces the pod of a changed chain completely', async () => {
  await kube.create(networkType, aNetwork('changes', { chainID: '4001' }));
  const before = await reach('changes', 'Pending');
  const former = await podOf(before.metadata.uid);
  const spec = { chain: { ethereum: { chainID: '4002000' } } };
  await kube.patch(networkType, { namespace, name: 'changes' }, { spec });
  const next = await podOf(before.metadata.uid, (uid) => uid !== former.metadata.uid);
  expect(next.spec.containers[0]?.args?.join(' ')).toContain('--chain-id 4002000');
  await kube.delete(podType, { namespace, name: former.metadata.name }, { gracePeriodSeconds: 0 });
  await setReady(next.metadata.name);
  await reach('changes', 'Operational', ({ status }) => status?.chainID === '4002000');
  const { items } = await kube.list(podType, {
    namespace,
    labelSelector: `${labels.network}=${before.metadata.uid}`,
  });
  expect(items.map(({ metadata }) => metadata.name)).toEqual([next.metadata.name]);
});

it('gives a chain id to the older one of two networks that request it', async () => {
  await kube.create(networkType, aNetwork('elder', { chainID: '987654' }));
  await reach('elder', 'Pending');
  await kube.create(networkType, aNetwork('younger', { chainID: '987654' }));
  const { status } = await reach('younger', 'Error');
  expect(status?.message).toMatch(/chain id 987654 is in use/);
  await kube.delete(networkType, { namespace, name: 'elder' });
  await reach('younger', 'Pending');
});

it('stops by the stop annotation, and wakes by the wake annotation', async () => {
  await kube.create(networkType, aNetwork('stops'));
  const { metadata } = await reach('stops', 'Pending');
  await setReady((await podOf(metadata.uid)).metadata.name);
  await reach('stops', 'Operational');
  const annotate = (annotations: object) =>
    kube.patch(networkType, { namespace, name: 'stops' }, { metadata: { annotations } });
  await annotate({ 'slipway.dev/stop': 'now' });
  const stopped = await reach('stops', 'Stopped');
  expect(stopped.status).toMatchObject({
    observedStop: 'now',
    message: expect.stringMatching(/^stopped on request/),
  });
  const selector = { namespace, labelSelector: `${labels.network}=${metadata.uid}` };
  expect((await kube.list(podType, selector)).items).toEqual([]);
  await annotate({ 'slipway.dev/wake': 'now' });
  await reach('stops', 'Pending');
  await podOf(metadata.uid);
});

it('leaves nothing behind of a deleted network', async () => {
  const { metadata } = await reach('first', 'Operational');
  await kube.delete(networkType, { namespace, name: 'first' });
  const selector = { namespace, labelSelector: `${labels.network}=${metadata.uid}` };
  const isGone = ({ metadata: child }: { metadata: { labels?: Record<string, string> } }) =>
    child.labels?.[labels.network] === metadata.uid;
  await new Promise<void>((resolve) => {
    const check = () => {
      const left = [
        ...operator.caches.services.list().filter(isGone),
        ...operator.caches.configMaps.list().filter(isGone),
        ...operator.caches.pods.list().filter((pod) => isGone(pod) && !pod.metadata.deletionTimestamp),
      ];
      if (left.length === 0) resolve();
    };
    for (const cache of Object.values(operator.caches)) cache.onChange(check);
    check();
  });
  expect((await kube.list(serviceType, selector)).items).toEqual([]);
  expect((await kube.list(configMapType, selector)).items).toEqual([]);
});

describe('the access keys of a running network', () => {
  const ref = { name: 'keyed' };
  let secrets: Reflector<CoreSecret>;
  beforeAll(() => {
    const common = { kube: confined(kube, namespace), clock: systemClock, log: silentLog };
    secrets = createReflector({
      ...common,
      type: coreSecretType,
      kubeMetrics: { watchRestarts: () => undefined },
    });
    secrets.start();
  });
  afterAll(() => secrets.stop());
  const urlsIn = ({ data = {} }: CoreSecret): Record<string, string> =>
    Object.fromEntries(
      Object.entries(data).map(([service, text]) => [service, Buffer.from(text, 'base64').toString()]),
    );
  /** Waits until the Secret has the URLs of the status; the operator writes it after the status. */
  const settled = async (isFit: (network: NetworkResource) => boolean) => {
    const { status } = await reach('keyed', 'Operational', isFit);
    const secret = await secrets.waitFor(
      (one) => one.metadata.name === 'keyed-access' && urlsIn(one).rpc === status?.endpoints?.rpc,
      { timeoutMs: 120_000 },
    );
    if (!secret) throw new Error('the Secret does not follow');
    return { status, urls: urlsIn(secret) };
  };

  it('are replaced on request, without a new chain, and the admin URL is in the Secret alone', async () => {
    await kube.create(networkType, aNetwork(ref.name));
    const { metadata } = await reach('keyed', 'Pending');
    await setReady((await podOf(metadata.uid)).metadata.name);
    const before = await settled(() => true);
    expect(Object.keys(before.urls).sort()).toEqual(['admin', 'admin-ws', 'rpc', 'ws']);
    expect(JSON.stringify(before.status)).not.toContain(before.urls.admin?.split('/')[5]);
    const accessKeyRotation = { publicNonce: 1, adminNonce: 1 };
    await kube.patch(networkType, { namespace, ...ref }, { spec: { accessKeyRotation } });
    const after = await settled(({ status }) => status?.accessKeys?.admin.epoch === 1);
    for (const service of ['rpc', 'ws', 'admin', 'admin-ws'])
      expect(after.urls[service]).not.toBe(before.urls[service]);
    expect(after.status?.enclaveID).toBe(before.status?.enclaveID);
  });

  it('follow a new key of the installation once the operator has it, without a new chain', async () => {
    const before = await settled(() => true);
    await operator.stop();
    operator = startOperator({ kube, namespace, accessKeys: aKeyring('the new key', 'access key') });
    const after = await settled(({ status }) => status?.endpoints?.rpc !== before.urls.rpc);
    for (const service of ['rpc', 'ws', 'admin', 'admin-ws'])
      expect(after.urls[service]).not.toBe(before.urls[service]);
    expect(after.status?.accessKeys).toEqual(before.status?.accessKeys);
    expect(after.status?.enclaveID).toBe(before.status?.enclaveID);
  });
});
