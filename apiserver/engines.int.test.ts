import { once } from 'node:events';
import { engineObjects, labels } from '../core/api/names.ts';
import type { NetworkResource } from '../core/api/resources/network.ts';
import { networkType } from '../core/api/resources/resources.ts';
import { configMapType, coreEventType, leaseType, podType } from '../core/kube/types.ts';
import { systemClock, toRfc3339 } from '../core/lib/clock.ts';
import { eventually } from './testing/eventually.ts';
import {
  apiserver,
  authorization,
  kube,
  namespace,
  type Started,
  startOperatorProcess,
  url,
  useProcesses,
} from './testing/processes.ts';

/** Both processes over a real kube-apiserver, while engines become available. Nothing is started again. */

let operator: Started;
let stream: ReadableStreamDefaultReader<Uint8Array>;
// Before the API server ends, which would end the stream with an error.
afterAll(async () => {
  await stream?.cancel();
  operator.child.kill('SIGKILL');
});

useProcesses(undefined, { hasOwnCluster: true });

beforeAll(async () => {
  operator = await startOperatorProcess();
  const headers = { ...authorization, Accept: 'text/event-stream' };
  const { body } = await fetch(`${url}/v1alpha/events`, { headers });
  if (!body) throw new Error('there is no stream');
  stream = body.getReader();
});

const ref = (name: string) => ({ namespace, name });
const takes = 'about 3 minutes';
const headers = { ...authorization, 'Content-Type': 'application/json' };

async function create(name: string, chain: object = { type: 'Thorchain', thorchain: {} }) {
  const body = JSON.stringify({ name, spec: { chain } });
  const answer = await fetch(`${url}/v1alpha/networks`, { method: 'POST', headers, body });
  const json: { message?: string } = JSON.parse(await answer.text());
  return { status: answer.status, message: json.message ?? '' };
}

/** What a builder publishes. */
async function publish(name: string, entry: object): Promise<void> {
  const data = { [name]: JSON.stringify(entry) };
  const found = await kube.get(configMapType, ref(engineObjects.available));
  if (found) await kube.patch(configMapType, ref(engineObjects.available), { data });
  else {
    const metadata = ref(engineObjects.available);
    await kube.create(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  }
}

const live = () =>
  kube.create(leaseType, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: ref(engineObjects.builder),
    spec: {
      holderIdentity: 'builder',
      leaseDurationSeconds: 600,
      renewTime: `${toRfc3339(systemClock.nowMs()).slice(0, -1)}.000000Z`,
    },
  });

const statusOf = async (name: string) => (await kube.get(networkType, ref(name)))?.status;
const says = (name: string, state: string, message: RegExp) =>
  eventually(
    () => statusOf(name),
    (status) => status?.state === state && message.test(status.message ?? ''),
  );
const metricOf = async ({ healthUrl }: Started, line: string) =>
  (await (await fetch(`${healthUrl}/metrics`)).text()).includes(line);

it('what nobody has or builds is refused over REST, with the remedy', async () => {
  expect(await create('refused')).toEqual({
    status: 400,
    message: expect.stringMatching(
      /needs engines.thornode, which .*: set .* in the chart, or run "make engines/,
    ),
  });
});

it('what is created with kubectl anyway says the same, and is written down as wanted', async () => {
  const spec: NetworkResource['spec'] = { chain: { type: 'Thorchain', thorchain: {} } };
  await kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: ref('early'),
    spec,
  });
  await says('early', 'Error', /needs engines.thornode, which this installation lacks/);
  const found = await eventually(
    () => kube.get(configMapType, ref(engineObjects.wanted)),
    (wanted) => wanted?.data?.thornode !== undefined,
  );
  expect(found?.metadata.ownerReferences).toMatchObject([{ name: engineObjects.chart }]);
});

it('what a living builder offers is accepted, and waits with what is built and about how long it takes', async () => {
  await publish('thornode', { state: 'Buildable', takes });
  await live();
  await eventually(
    () => create('accepted'),
    ({ status }) => status === 201 || status === 409,
  );
  await says(
    'accepted',
    'Pending',
    /^waiting for the builder, which makes engines.thornode \(about 3 minutes\)$/,
  );
  await says('early', 'Pending', /^waiting for the builder/);
  const since = '2030-01-02T12:03:10Z';
  await publish('thornode', { state: 'Building', takes, since });
  await says('accepted', 'Pending', /^engines.thornode is being built, .* 3 minutes \(since 12:03:10 UTC\)$/);
  await publish('thornode', { state: 'Failed', takes, since, reason: 'no space is left' });
  await says(
    'accepted',
    'Error',
    /^engines.thornode could not be built .*: no space is left; it is tried again/,
  );
});

it('networks that wait go on by themselves while a writer writes and a stream is read; the engine is wanted no longer', async () => {
  const answers: number[] = [];
  const end = new AbortController();
  const writing = (async () => {
    for (let number = 0; !end.signal.aborted; number += 1) {
      const body = JSON.stringify({ name: `s-${number}`, type: 'note', data: 'eA==' });
      answers.push((await fetch(`${url}/v1alpha/secrets`, { method: 'POST', headers, body })).status);
      await systemClock.sleep(200);
    }
  })();
  const image = 'localhost/slipway/thornode:1';
  await publish('thornode', { state: 'Available', image });
  const pods = await eventually(
    async () => (await kube.list(podType, { namespace, labelSelector: labels.part })).items,
    (found) => found.length === 2,
  );
  expect(pods.map(({ spec }) => spec.containers[0]?.image)).toEqual([image, image]);
  await eventually(
    async () => (await kube.get(configMapType, ref(engineObjects.wanted)))?.data ?? {},
    (data) => !('thornode' in data),
  );
  end.abort();
  await writing;
  expect(new Set(answers)).toEqual(new Set([201]));
  const { done, value } = await stream.read();
  expect([done, Buffer.from(value ?? []).length > 0]).toEqual([false, true]);
});

it('a wrong entry keeps the former one, with an Event and a metric of both processes', async () => {
  const chart = ref(engineObjects.chart);
  const invalid = `slipway_engine_entries_invalid{object="${engineObjects.chart}"}`;
  await kube.patch(configMapType, chart, { data: { 'evm-dev': '{"image":7}', bsc: '{"image":"bsc:1"}' } });
  const isRight = async () =>
    (await create('real', { type: 'BNB', bnb: { profile: 'real' } })).status === 201;
  await eventually(isRight, Boolean);
  for (const process of [apiserver, operator])
    await eventually(() => metricOf(process, `${invalid} 1`), Boolean);
  const event = await eventually(
    async () =>
      (await kube.list(coreEventType, { namespace })).items.find(({ reason }) => reason === 'InvalidEngines'),
    (found) => found !== undefined,
  );
  expect(event).toMatchObject({
    type: 'Warning',
    involvedObject: { kind: 'ConfigMap', name: engineObjects.chart },
    message: expect.stringMatching(/the former ones stay in use: evm-dev: /),
  });
  await kube.patch(configMapType, chart, { data: { 'evm-dev': '{"image":"evm-dev:2"}' } });
  for (const process of [apiserver, operator])
    await eventually(() => metricOf(process, `${invalid} 0`), Boolean);
});

it('neither process has ended, and both end in order', async () => {
  expect([apiserver.child.exitCode, operator.child.exitCode]).toEqual([null, null]);
  operator.child.kill('SIGTERM');
  expect(await once(operator.child, 'exit')).toEqual([0, null]);
});
