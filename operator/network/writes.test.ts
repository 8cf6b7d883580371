import { annotations, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createEventRecorder } from '../../core/kube/events/recorder.ts';
import type { Kube, KubeObject, ResourceType } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { podType } from '../../core/kube/types.ts';
import { silentLog } from '../../core/lib/log.ts';
import { aKeySecret, type RunningOperator, startOperator } from './testing/operator.ts';

const namespace = 'ws';
const name = 'net';
/** As the controller of ids, which does not run here, gives each network one. */
const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';

let kube: FakeKube;
let operator: RunningOperator;
let writes: string[];
let events: ReturnType<typeof createEventRecorder>;

/** Writes down what the operator writes; reads and the test's own writes do not count. */
function counted(to: Kube): Kube {
  const note = (verb: string, { kind }: ResourceType, what: string) =>
    void writes.push(`${verb} ${kind}${what}`);
  const reasonOf = (object: KubeObject) => ('reason' in object ? ` ${String(object.reason)}` : '');
  return {
    ...to,
    create(type, object) {
      note('create', type, reasonOf(object));
      return to.create(type, object);
    },
    apply(type, object, options) {
      note('apply', type, '');
      return to.apply(type, object, options);
    },
    patch(type, ref, patch, subresource) {
      const { state } = (patch as Partial<NetworkResource>).status ?? {};
      note('patch', type, `${subresource ? ` ${subresource}` : ''}${state ? ` ${state}` : ''}`);
      return to.patch(type, ref, patch, subresource);
    },
    delete(type, ref, options) {
      note('delete', type, '');
      return to.delete(type, ref, options);
    },
  };
}

beforeEach(async () => {
  writes = [];
  kube = createFakeKube();
  await kube.create(secretType, aKeySecret(namespace));
  const own = counted(kube);
  events = createEventRecorder({ kube: own, component: 'slipway-operator', log: silentLog });
  operator = startOperator({ kube: own, namespace, deps: { events } });
});
afterEach(() => operator.stop());

const inState = (state: string) => operator.reach(name, ({ status }) => status?.state === state);

/** The writes since the last call, in order. */
async function written(): Promise<string[]> {
  await events.flush();
  return writes.splice(0).sort();
}

async function startNetwork(): Promise<void> {
  const ethereum = { privateKeyRef: { name: 'key' }, chainID: '777' };
  await kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace, labels: { [labels.id]: id } },
    spec: { chain: { type: 'Ethereum', ethereum } },
  });
  await boot();
}

async function boot(former?: string): Promise<string> {
  const pod = await operator.caches.pods.waitFor(
    ({ metadata }) => metadata.uid !== former && metadata.labels?.[labels.part] === 'rpc',
    { timeoutMs: 120_000 },
  );
  if (!pod) throw new Error('no pod was created');
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await kube.patch(podType, pod.metadata, { status }, 'status');
  await inState('Operational');
  return pod.metadata.uid;
}

const annotate = (values: Record<string, string>) =>
  kube.patch(networkType, { namespace, name }, { metadata: { annotations: values } });

/** What runs a network: the reason for each write is that another object or another state has to be seen. */
const starting = ['create ConfigMap', 'create Pod', 'create Service'];
const states = ['patch Network status Operational', 'patch Network status Pending'];

it('a start writes each child once, two states, and an Event for each', async () => {
  await startNetwork();
  expect(await written()).toEqual(
    [
      ...starting,
      ...states,
      // The URLs of the network, with their keys.
      'apply Secret',
      // One for all steps that are reached at once. The last ends with the answer of the engine, and is in the other one.
      ...['create Event Step', 'create Event Operational'],
    ].sort(),
  );
});

it('a stop writes each deletion once, two states, an Event for each, and one for the end of the chain', async () => {
  await startNetwork();
  await written();
  await annotate({ [annotations.stop]: 'now' });
  await inState('Stopped');
  expect(await written()).toEqual(
    [
      ...['delete ConfigMap', 'delete Pod', 'delete Service'],
      ...['patch Network status Stopping', 'patch Network status Stopped'],
      ...['create Event StopRequested', 'create Event StopRequested', 'create Event ChainEnded'],
    ].sort(),
  );
});

it('a wake-up writes what a start does, but its URLs stay and the Events of its steps are counted on', async () => {
  await startNetwork();
  const [pod] = operator.caches.pods.list();
  await annotate({ [annotations.stop]: 'now' });
  await inState('Stopped');
  await written();
  await annotate({ [annotations.wake]: '2026-01-01T00:00:00Z' });
  await boot(pod?.metadata.uid);
  expect(await written()).toEqual(
    [
      ...starting,
      ...states,
      // The steps have the words of the start, the states their own.
      ...['create Event Provisioning', 'create Event Operational', 'patch Event'],
    ].sort(),
  );
});

it('a change that means nothing to the network writes nothing', async () => {
  await startNetwork();
  await written();
  await annotate({ 'example.com/note': 'x' });
  // A change behind it in the same queue shows that it was reconciled.
  await annotate({ [annotations.stop]: 'now' });
  await inState('Stopped');
  expect(
    (await written()).filter((write) =>
      /Operational|Pending|apply|create (Pod|ConfigMap|Service)/.test(write),
    ),
  ).toEqual([]);
});

it('a deletion deletes each child once and writes nothing else', async () => {
  await startNetwork();
  await written();
  const gone = new Promise<void>((resolve) => {
    operator.caches.services.onChange(({ type }) => void (type === 'deleted' && resolve()));
  });
  const podGone = new Promise<void>((resolve) => {
    operator.caches.pods.onChange(({ type }) => void (type === 'deleted' && resolve()));
  });
  const mapGone = new Promise<void>((resolve) => {
    operator.caches.configMaps.onChange(({ type }) => void (type === 'deleted' && resolve()));
  });
  await kube.delete(networkType, { namespace, name });
  await Promise.all([gone, podGone, mapGone]);
  expect(await written()).toEqual(['delete ConfigMap', 'delete Pod', 'delete Service']);
});
